"""What each format promises beyond how its sample looks."""

import json
import re
import subprocess
import sys
from typing import Any

import pytest

from recall_core.model.span import START, Span, TextEdit
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Related, Severity
from recall_lint.formats import render
from recall_lint.formats.report import Report, RuleSummary, build_report


def finding(code: str = "RL201", severity: Severity = Severity.ERROR, path: str = "a.md", **more: Any) -> Diagnostic:
    settings = {"span": Span(2, 13, 2, 16), "message": "`old` names no memo", "line_text": "supersedes: old", **more}
    return Diagnostic(code, "dangling-reference", severity, path, **settings)


def report(*diagnostics: Diagnostic, **more: Any) -> Report:
    settings = {"tool_version": "1.2.3", "root": "/r", "at": "2026-01-31", "memos": 214, **more}
    return build_report(diagnostics=diagnostics, **settings)


def rendered(name: str, *diagnostics: Diagnostic, verbose: bool = False, **more: Any) -> str:
    return "".join(render(name, report(*diagnostics, **more), verbose=verbose))


def last_line(*diagnostics: Diagnostic, **more: Any) -> str:
    return rendered("full", *diagnostics, **more).splitlines()[-1]


INFO, WARNING = Severity.INFO, Severity.WARNING


# The report


def test_findings_are_sorted_by_path_line_column_and_code() -> None:
    places = [
        ("b.md", 1, 1, "RL201"),
        ("a.md", 2, 5, "RL202"),
        ("a.md", 2, 5, "RL201"),
        ("a.md", 10, 1, "RL201"),
        ("a.md", 2, 1, "RL301"),
    ]
    found = report(*(finding(code, path=path, span=Span(line, col, line, col)) for path, line, col, code in places))
    got = [(each.path, each.span.line, each.span.column, each.code) for each in found.diagnostics]
    assert got == sorted(places)


def test_infos_are_counted_and_people_see_them_only_when_they_ask() -> None:
    findings = (finding(), finding("RL110", INFO))
    assert report(*findings).infos == 1
    for name in ("full", "concise"):
        assert "RL110" not in rendered(name, *findings)
        assert "RL110" in rendered(name, *findings, verbose=True)
    for name in ("json", "jsonl", "sarif", "github"):
        assert "RL110" in rendered(name, *findings)


def test_a_format_that_nobody_knows_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        render("xml", report())


# full: the last lines


def test_a_clean_run_says_so() -> None:
    assert rendered("full") == "No findings in 214 memos.\n"
    assert last_line(memos=1) == "No findings in 1 memo."


def test_the_summary_counts_in_words() -> None:
    errors = [finding(span=Span(line, 1, line, 2)) for line in range(1, 4)]
    infos = [finding("RL110", INFO, span=Span(line, 1, line, 2)) for line in range(1, 6)]
    both = [*errors, finding("RL209", WARNING), *infos]
    assert last_line(*both) == "3 errors, 1 warning in 214 memos; 5 infos hidden, --verbose shows them."
    assert last_line(*both, verbose=True) == "3 errors, 1 warning, 5 infos in 214 memos."
    assert last_line(infos[0]) == "No errors or warnings in 214 memos; 1 info hidden, --verbose shows it."
    assert last_line(suppressed=2, baselined=7) == "No findings in 214 memos; 2 suppressed; 7 in the baseline."


def test_notes_stand_before_the_counts() -> None:
    assert rendered("full", notes=["nothing\nmatches"]) == "note: nothing\\nmatches\nNo findings in 214 memos.\n"


def test_a_finding_that_depends_on_the_day_says_so_and_which_day_it_was() -> None:
    clock = finding("RL207", WARNING, clock=True)
    unasked = rendered("full", clock)
    assert "names no memo (depends on the day; does not count)\n" in unasked
    assert unasked.endswith("Judged as of 2026-01-31 (UTC), the system's day; `--at DATE` sets another.\n")
    asked = rendered("full", clock, at_given=True)
    assert "names no memo (depends on the day)\n" in asked
    assert asked.endswith("Judged as of 2026-01-31 (UTC).\n")
    assert "2026-01-31" not in rendered("full", finding())


def test_a_memo_without_text_has_no_excerpt() -> None:
    assert " | " not in rendered("full", finding(line_text="", span=START))
    assert " | " not in rendered("full", finding(line_text="\ufeff\r\n", span=START))


def test_a_fix_says_what_to_type() -> None:
    edits = (TextEdit(Span(2, 13, 2, 16), "new"),)
    assert "= fix: safe, `recall lint --fix` writes it" in rendered("full", finding(fix=Fix(Applicability.SAFE, edits)))
    assert "`recall lint --fix --unsafe-fixes`" in rendered("full", finding(fix=Fix(Applicability.UNSAFE, edits)))
    shown = rendered("full", finding(fix=Fix(Applicability.DISPLAY, edits)))
    assert "= fix: by hand, at 2:13 write `new`" in shown
    assert "--fix" not in shown


# concise


def test_every_line_of_concise_is_read_by_the_usual_pattern() -> None:
    output = rendered("concise", finding(), finding("RL110", INFO, path="docs/b c.md"), verbose=True)
    matches = [re.fullmatch(r"(.+?):(\d+):(\d+): (RL\d{3}) (.+)", line) for line in output.splitlines()]
    assert [match and match.group(1, 2, 3, 4) for match in matches] == [
        ("a.md", "2", "13", "RL201"),
        ("docs/b c.md", "2", "13", "RL110"),
    ]


def test_concise_says_nothing_of_a_clean_corpus() -> None:
    assert rendered("concise") == ""


def test_a_name_that_a_build_log_would_obey_is_written_from_the_current_folder() -> None:
    hostile = (finding(path="::error::x.md"), finding(path=" ::warning::x.md"), finding(path="a::b.md"))
    for name in ("full", "concise"):
        lines = rendered(name, *hostile).splitlines()
        assert not [line for line in lines if line.lstrip().startswith("::")]
        assert any(line.startswith("./::error::x.md:2:13: ") for line in lines)
        assert any(line.startswith("a::b.md:2:13: ") for line in lines)


# json and jsonl


def test_json_keys_stand_in_the_contracts_order() -> None:
    edit = TextEdit(Span(2, 13, 2, 16), "new")
    one = finding(
        fix=Fix(Applicability.SAFE, (edit,)),
        related=(Related("b.md", "this", Span(4, 5, 6, 7)), Related("c.md", "that")),
    )
    output = json.loads(rendered("json", one, suppressed=3))
    assert list(output) == ["version", "tool_version", "root", "at", "summary", "diagnostics"]
    assert list(output["summary"]) == ["memos", "errors", "warnings", "infos", "suppressed", "baselined"]
    diagnostic = output["diagnostics"][0]
    assert list(diagnostic) == [
        "code", "rule", "severity", "path", "line", "column", "end_line", "end_column", "message", "help", "url", "clock", "fix", "related",
    ]  # fmt: skip
    assert list(diagnostic["fix"]) == ["applicability", "edits"]
    assert list(diagnostic["fix"]["edits"][0]) == ["line", "column", "end_line", "end_column", "text"]
    assert [list(each) for each in diagnostic["related"]] == [["path", "line", "column", "message"]] * 2
    assert [(each["line"], each["column"]) for each in diagnostic["related"]] == [(4, 5), (None, None)]


def test_json_of_a_clean_corpus_has_an_empty_list() -> None:
    assert json.loads(rendered("json"))["diagnostics"] == []
    assert rendered("jsonl") == ""


def test_jsonl_gives_the_same_objects_one_a_line() -> None:
    findings = (finding(), finding("RL110", INFO))
    lines = rendered("jsonl", *findings).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(rendered("json", *findings))["diagnostics"]


def test_a_name_that_is_not_utf_8_is_spelt_out_in_json() -> None:
    assert json.loads(rendered("json", finding(path="caf\udce9.md")))["diagnostics"][0]["path"] == "caf\\xe9.md"


# sarif


def sarif_run(*diagnostics: Diagnostic, **more: Any) -> Any:
    return json.loads(rendered("sarif", *diagnostics, **more))["runs"][0]


def fingerprints(*diagnostics: Diagnostic) -> list[str]:
    return [each["partialFingerprints"]["primaryLocationLineHash"] for each in sarif_run(*diagnostics)["results"]]


def uri(path: str, **more: Any) -> str:
    place = sarif_run(finding(path=path), **more)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place["uriBaseId"] == "%SRCROOT%"
    return str(place["uri"])


@pytest.mark.parametrize(
    ("path", "encoded"),
    [
        ("docs/a b.md", "docs/a%20b.md"),
        ("c:d.md", "c%3Ad.md"),
        ("100%#?.md", "100%25%23%3F.md"),
        ("料金.md", "%E6%96%99%E9%87%91.md"),
        ("caf\udce9.md", "caf%E9.md"),
        ("a\nb\u202e.md", "a%0Ab%E2%80%AE.md"),
        ("\ud800.md", "%5Cud800.md"),
    ],
)
def test_a_path_is_a_uri_reference_that_leads_to_the_very_bytes(path: str, encoded: str) -> None:
    assert uri(path) == encoded


def test_services_get_paths_from_the_top_of_the_repository() -> None:
    assert uri("a.md", prefix="docs/memos/") == "docs/memos/a.md"
    assert "file=docs/memos/a.md," in rendered("github", finding(), prefix="docs/memos/")
    assert '"path":"a.md"' in rendered("json", finding(), prefix="docs/memos/")


def test_a_fingerprint_survives_moved_and_indented_lines() -> None:
    before = fingerprints(finding(), finding(path="b.md"))
    after = fingerprints(finding(span=Span(9, 15, 9, 18), line_text="  supersedes: old"), finding(path="b.md"))
    assert before == after
    assert len(set(before)) == 2


def test_a_fingerprint_changes_with_the_line_the_code_and_the_path() -> None:
    assert (
        len(
            {
                *fingerprints(finding()),
                *fingerprints(finding(line_text="supersedes: x")),
                *fingerprints(finding("RL202")),
                *fingerprints(finding(path="b.md")),
            }
        )
        == 4
    )


def test_equal_findings_are_told_apart_by_their_order() -> None:
    first, second = fingerprints(finding(), finding(span=Span(7, 13, 7, 16)))
    assert first.removesuffix(":1") == second.removesuffix(":2")


def test_sarif_says_the_same_in_every_folder() -> None:
    assert rendered("sarif", finding(), root="/home/a") == rendered("sarif", finding(), root="/srv/b")


def test_a_fix_that_is_only_shown_is_no_sarif_fix() -> None:
    edits = (TextEdit(Span(2, 13, 2, 16), "new"),)
    results = [sarif_run(finding(fix=Fix(kind, edits)))["results"][0] for kind in Applicability]
    assert ["fixes" in each for each in results] == [True, True, False]


def test_every_finding_points_at_its_rule() -> None:
    rules = {"RL999": RuleSummary("never", "Never.", INFO), "RL202": RuleSummary("known", "Known.", WARNING)}
    run = sarif_run(finding(), finding("RL202"), rules=rules)
    listed = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in listed] == ["RL201", "RL202", "RL999"]
    assert [listed[each["ruleIndex"]]["id"] for each in run["results"]] == [each["ruleId"] for each in run["results"]]
    assert listed[1]["shortDescription"]["text"] == "Known."


def test_memo_text_is_no_link_in_a_sarif_message() -> None:
    text = sarif_run(finding(message="`[x](https://example.org)` names no memo"))["results"][0]["message"]["text"]
    assert text == "`[x\\](https://example.org)` names no memo"


# github


def command(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as the runner reads it."""
    match = re.fullmatch(r"::(\w+) (.*?)::(.*)", line)
    assert match is not None
    name, properties, data = match.groups()
    decode = {"%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"}
    pairs = dict(each.split("=", 1) for each in properties.split(","))
    read = {key: re.sub("%(0D|0A|3A|2C|25)", lambda m: decode[m[0]], value) for key, value in pairs.items()}
    return name, read, re.sub("%(0D|0A|25)", lambda m: decode[m[0]], data)


def test_the_runner_reads_back_what_was_meant() -> None:
    odd = finding(
        path="a,b:c%3A=d.md",
        message="100% of %0A :: `x`",
        help="type: this",
        related=(Related("r:1.md", "see", START),),
    )
    name, properties, data = command(rendered("github", odd).rstrip("\n"))
    assert name == "error"
    assert properties == {
        "file": "a,b:c%3A=d.md",
        "line": "2",
        "col": "13",
        "endLine": "2",
        "endColumn": "16",
        "title": "RL201 dangling-reference",
    }
    assert data == "100% of %0A :: `x`\nsee: r:1.md:1:1\nhelp: type: this"


def test_severities_are_github_levels() -> None:
    output = rendered("github", *(finding(severity=each) for each in (Severity.ERROR, WARNING, INFO)))
    assert [command(line)[0] for line in output.splitlines()] == ["error", "warning", "notice"]


def test_an_annotation_of_several_lines_has_no_columns() -> None:
    properties = command(rendered("github", finding(span=Span(2, 13, 4, 1))).rstrip("\n"))[1]
    assert properties.keys() == {"file", "line", "endLine", "title"}


# Loading


def test_a_format_is_loaded_when_it_is_asked_for() -> None:
    script = (
        "import sys, recall_lint.formats as f\n"
        "heavy = {'rich', 'ruamel', 'rapidfuzz', 'jsonschema', 'urllib.parse', 'hashlib', *f.FORMATS.values()}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
