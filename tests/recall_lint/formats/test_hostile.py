"""Names and memo text by somebody who means harm, through every way out."""

import json
import os
import unicodedata
from collections.abc import Iterator

import pytest

from recall_core.model.span import Span, TextEdit
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Related, Severity
from recall_lint.formats import FORMATS, render
from recall_lint.formats.error import render_error
from recall_lint.formats.report import RuleSummary, build_report
from recall_lint.formats.status import StatusReport, StatusRow, render_json, render_text

HOSTILE = [
    "\x1b[2J\x1b]0;owned\x07\x1b]8;;https://example.org\x1b\\x",
    "::error::fake",
    " ::set-output name=a::b",
    "x\n::error file=a.md::fake",
    "x\r::add-mask::fake",
    "x%0A::error::fake%0D",
    "x,line=1::fake",
    "##[error]fake ##vso[task.setvariable variable=a]b ##teamcity[x]",
    "\u202egnp.\u202c\u2066x\u2069\u200e\u200f\u061c",
    "x\u2028::error::fake\u2029y\x85z\x0b\x0c",
    "\x9b31m\x90x\x9c\x7f\x00\x08\x08",
    os.fsdecode(b"\xff\xfe caf\xe9"),
    "\ud83d \ud800",
    "</script><script>alert(1)</script><!--",
    "a\u200bb\u200dc\ufeff\u2060\U000e0041",
    "section_start:1:x\r\x1b[0Kfake",
    "`code` [link](javascript:alert(1)) {0}",
    "z" * 10_000,
    "\t中\u0301" * 3_000,
]


def findings() -> Iterator[Diagnostic]:
    for text in HOSTILE:
        for span in (Span(2, 1, 2, len(text) + 1), Span(1, len(text) // 2 + 1, 3, 1), Span(2, 10**6, 2, 10**6)):
            yield Diagnostic(
                "RL201", "dangling-reference", Severity.ERROR, text, span, f"{text} names no memo", f"write {text}",
                (Related(text, text), Related(text, text, span)),
                Fix(Applicability.DISPLAY, (TextEdit(span, text),)), True, text,
            )  # fmt: skip
            yield Diagnostic(
                "RL110", "unquoted-wikilink", Severity.INFO, f"docs/{text}.md", span, text,
                fix=Fix(Applicability.SAFE, (TextEdit(span, text),)), line_text=f"{text}\n",
            )  # fmt: skip


def outputs() -> dict[str, str]:
    report = build_report(
        tool_version="1.2.3", root=HOSTILE[0] + HOSTILE[11], at="2026-01-31", memos=2, diagnostics=findings(), notes=HOSTILE,
        prefix=HOSTILE[3], rules={"RL201": RuleSummary("dangling-reference", HOSTILE[8], Severity.ERROR)},
    )  # fmt: skip
    rows = tuple(StatusRow(text, "superseded", (text, text), text, text, None) for text in HOSTILE)
    status = StatusReport("1.2.3", HOSTILE[0] + HOSTILE[11], "2026-01-31", None, rows)
    return {
        **{name: "".join(render(name, report, verbose=True)) for name in FORMATS},
        "status-text": "".join(render_text(status)),
        "status-json": "".join(render_json(status)),
        "error": "".join(render_error("usage", text, text) for text in HOSTILE),
    }


OUTPUTS = outputs()
FOR_PEOPLE = {"full", "concise", "github", "status-text"}


@pytest.mark.parametrize("name", OUTPUTS)
def test_no_control_bidi_or_invisible_character_comes_out_raw(name: str) -> None:  # J7
    for character in set(OUTPUTS[name]) - {"\n"}:
        assert unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp"), f"U+{ord(character):04X}"


@pytest.mark.parametrize("name", OUTPUTS)
def test_no_line_is_a_command_of_the_memos_own(name: str) -> None:
    for line in OUTPUTS[name].splitlines():
        if name == "github":
            assert line.startswith(("::error file=", "::notice file="))
            assert line.count("::") >= 2
        else:
            assert not line.lstrip().startswith("::")
    if name in FOR_PEOPLE:
        assert "##[" not in OUTPUTS[name]
        assert "##vso[" not in OUTPUTS[name]


def test_a_github_line_is_one_finding_and_its_properties_hold_no_raw_separator() -> None:
    lines = OUTPUTS["github"].splitlines()
    assert len(lines) == len(list(findings()))
    for line in lines:
        properties = line.split("::")[1].split(" ", 1)[1]
        keys = [each.split("=", 1)[0] for each in properties.split(",")]
        assert keys in (["file", "line", "col", "endLine", "endColumn", "title"], ["file", "line", "endLine", "title"])
        assert ":" not in properties


def test_a_concise_line_is_one_finding() -> None:
    assert OUTPUTS["concise"].count("\n") == len(list(findings()))


def test_a_status_line_is_one_memo() -> None:
    assert OUTPUTS["status-text"].count("\n") == len(HOSTILE) + 1


@pytest.mark.parametrize("name", sorted(set(OUTPUTS) - FOR_PEOPLE))
def test_json_is_ascii_holds_no_markup_and_every_text_in_it_is_unicode(name: str) -> None:
    output = OUTPUTS[name]
    assert output.isascii()
    assert not set("<>&") & set(output)
    values = (
        [json.loads(output)]
        if name in ("json", "sarif", "status-json")
        else [json.loads(line) for line in output.splitlines()]
    )
    json.dumps(values, ensure_ascii=False).encode()


def test_a_huge_line_is_shown_in_one_screen_line() -> None:
    for line in OUTPUTS["full"].splitlines():
        if line.startswith(("  1 | ", "  2 | ", "    | ")):
            assert len(line) <= 200  # a hundred cells, and marks that take none


def test_a_huge_message_is_cut_for_people_and_whole_for_programs() -> None:
    assert "z" * 1_000 not in OUTPUTS["concise"].replace("z" * 10_000 + ":", "").replace("docs/" + "z" * 10_000, "")
    assert "z" * 10_000 + " names no memo" in OUTPUTS["json"]
