"""The formats of `check` and `fix`: what they show, and names and sentences by somebody who means harm."""

import json
import os
import unicodedata
from importlib.resources import files

import jsonschema
import pytest

from recall_core.model.span import Span, TextEdit
from recall_core.prose.candidate import Evidence, Refusal
from recall_lint.check.suggestion import Kind, Paste, Suggestion
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Related, Severity
from recall_lint.formats import fix
from recall_lint.formats.asking import WHY_HELD_BACK
from recall_lint.formats.check import FORMATS, CheckedMemo, CheckReport, render
from recall_lint.formats.fix import Failure, FixReport
from recall_lint.questions.answers import Answer

HOSTILE = [
    "\x1b[2J\x1b]0;owned\x07",
    "::error::fake",
    " ::set-output name=a::b",
    "x\n::error file=a.md::fake",
    "x\r::add-mask::fake",
    "##[error]fake ##vso[task.setvariable variable=a]b",
    "\u202egnp.\u202c\u2066x\u2069\u200e",
    "x\u2028::error::fake\u2029y\x85z",
    os.fsdecode(b"\xff\xfe caf\xe9"),
    "\ud83d \ud800",
    "</script><script>alert(1)</script><!--",
    "a\u200bb\u200dc\ufeff",
    "`code` [link](javascript:alert(1)) {0} $(id)",
    "z" * 10_000,
]
SPAN = Span(2, 3, 2, 9)


def suggestion(text, **more):
    values = {"kind": Kind.TOLD, "score": 0.5, "evidence": Evidence(text, SPAN, text), **more}
    return Suggestion(text, f"docs/{text}", Paste(2, f"supersedes: {text}"), **values)


def memos():
    for text in HOSTILE:
        found = Diagnostic(
            "RL201", "dangling-reference", Severity.ERROR, text, SPAN, text, text, (Related(text, text, SPAN),),
            Fix(Applicability.SAFE, (TextEdit(SPAN, text),)), line_text=text,
        )  # fmt: skip
        suggestions = (
            suggestion(text),
            suggestion(text, held_back=Refusal.HEDGED),
            suggestion(text, held_back=Refusal.AUGMENTING),
            suggestion(text, evidence=None, kind=Kind.RESEMBLES, why=text),
            suggestion(text, answer=Answer.DECLARED),
        )
        yield CheckedMemo(text, (text,), (found,), suggestions, text)


def outputs():
    report = CheckReport("1.2.3", HOSTILE[0] + HOSTILE[8], "2026-01-31", tuple(memos()), HOSTILE[3])
    told = tuple(suggestion(text) for text in HOSTILE)
    fixes = FixReport(
        "1.2.3", HOSTILE[0], "2026-01-31", told, told[:2],
        tuple(suggestion(text, held_back=Refusal.PARTIAL) for text in HOSTILE), tuple(Failure(text, text) for text in HOSTILE),
    )  # fmt: skip
    return {
        **{name: "".join(render(name, report)) for name in FORMATS},
        "fix-full": "".join(fix.render("full", fixes)),
        "fix-json": "".join(fix.render("json", fixes)),
    }


OUTPUTS = outputs()
FOR_PEOPLE = {"full", "concise", "fix-full"}


@pytest.mark.parametrize("name", OUTPUTS)
def test_no_control_bidi_or_invisible_character_comes_out_raw(name):
    for character in set(OUTPUTS[name]) - {"\n"}:
        assert unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp"), f"U+{ord(character):04X}"
    OUTPUTS[name].encode()


@pytest.mark.parametrize("name", OUTPUTS)
def test_no_line_is_a_command_of_the_memos_own(name):
    assert not [line for line in OUTPUTS[name].splitlines() if line.lstrip().startswith("::")]
    if name in FOR_PEOPLE:
        assert "##[" not in OUTPUTS[name]
        assert "##vso[" not in OUTPUTS[name]


def schema(name):
    return json.loads(files("recall_lint").joinpath("schema", f"{name}.schema.json").read_text(encoding="utf-8"))


def conform(instance, against):
    jsonschema.Draft202012Validator(against).validate(instance)


def test_json_honours_its_schema_whatever_stands_in_names():
    conform(json.loads(OUTPUTS["json"]), schema("check"))
    conform(json.loads(OUTPUTS["fix-json"]), schema("fix"))
    check = schema("check")
    for line in OUTPUTS["jsonl"].splitlines():
        conform(json.loads(line), {"$ref": "#/$defs/memo", "$defs": check["$defs"]})


@pytest.mark.parametrize("name", ["check", "fix"])
def test_a_schema_is_one_and_closes_the_set_of_reasons(name):
    jsonschema.Draft202012Validator.check_schema(schema(name))
    reasons = schema(name)["$defs"]["candidate"]["properties"]["held_back"]["enum"]
    assert set(reasons) == {None, *(refusal.value for refusal in Refusal)}


def test_what_check_embeds_of_lint_is_what_lint_says():
    check, lint = schema("check")["$defs"], schema("lint")["$defs"]
    assert {name: check[name] for name in lint} == lint


def test_every_reason_has_words():
    assert set(WHY_HELD_BACK) == set(Refusal)


def test_a_candidate_has_the_keys_of_the_contract_in_their_order():
    (memo,) = json.loads(
        "".join(
            render("json", CheckReport("1", "/", "2026-01-31", (CheckedMemo("a.md", (), (), (suggestion("b.md"),)),)))
        )
    )["memos"]
    assert list(memo) == ["path", "declared", "needs_attention", "diagnostics", "candidates"]
    assert list(memo["candidates"][0]) == [
        "target",
        "declare_in",
        "paste",
        "kind",
        "score",
        "evidence",
        "held_back",
        "answer",
    ]


def test_rdjsonl_counts_columns_in_bytes_and_suggests_only_in_its_own_file():
    line_text = "é: [[a]]"
    finding = Diagnostic(
        "RL110", "unquoted-wikilink", Severity.INFO, "new.md", Span(2, 4, 2, 9), "x",
        fix=Fix(Applicability.SAFE, (TextEdit(Span(2, 4, 2, 9), '"[[a]]"'),)), line_text=line_text,
    )  # fmt: skip
    elsewhere = Suggestion(
        "new.md", "newer.md", Paste(2, "supersedes: new.md"), Kind.TOLD, 0.5, Evidence("new.md", SPAN, "x")
    )
    report = CheckReport("1", "/", "2026-01-31", (CheckedMemo("new.md", (), (finding,), (elsewhere,)),), "docs/")
    question, found = map(json.loads, "".join(render("rdjsonl", report)).splitlines())
    assert "suggestions" not in question
    assert question["location"]["path"] == "docs/new.md"
    assert "add as line 2 of `newer.md`: `supersedes: new.md`" in question["message"]
    place = {"start": {"line": 2, "column": 5}, "end": {"line": 2, "column": 10}}
    assert found["location"]["range"] == place
    assert found["suggestions"] == [{"range": place, "text": '"[[a]]"'}]


def test_a_memo_of_which_nothing_is_to_be_said_prints_nothing():
    report = CheckReport(
        "1", "/", "2026-01-31", (CheckedMemo("a.md", ("b.md",), (), (suggestion("b.md", answer=Answer.DECLARED),)),)
    )
    for name in ("full", "concise", "rdjsonl"):
        assert "".join(render(name, report)) == ""


def test_a_catalogue_is_not_listed_for_people():
    report = CheckReport(
        "1", "/", "2026-01-31", (CheckedMemo("README.md", (), (), (suggestion("b.md", held_back=Refusal.CATALOGUE),)),)
    )
    assert "".join(render("full", report)) == ""
    assert '"catalogue"' in "".join(render("json", report))
