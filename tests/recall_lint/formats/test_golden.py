"""One sample through every format, compared with `tests/data/formats/<name>.golden`.

`PYTHONPATH=. python tests/recall_lint/formats/test_golden.py`, in the project's root, writes the golden files anew.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from recall_core.model.span import START, Span, TextEdit
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Related, Severity
from recall_lint.formats import FORMATS, render
from recall_lint.formats.report import Report, RuleSummary, build_report
from recall_lint.formats.status import StatusReport, StatusRow, render_json, render_text

DATA = Path(__file__).resolve().parents[2] / "data" / "formats"

RULES = {
    "RL201": RuleSummary("dangling-reference", "A reference names no memo.", Severity.ERROR),
    "RL202": RuleSummary("ambiguous-reference", "A reference names more than one memo.", Severity.ERROR),
    "RL401": RuleSummary("expired-memo", "A memo is past its last day and nothing replaces it.", Severity.INFO),
}


def sample() -> Report:
    error, warning, info = Severity.ERROR, Severity.WARNING, Severity.INFO
    wide = "supersedes: [料金, 制限-2024]"
    long = f"supersedes: [{', '.join(f'memo-{number:03}' for number in range(200))}]"
    diagnostics = [
        Diagnostic(
            "RL202", "ambiguous-reference", error, "new-limits.md", Span(2, 13, 2, 25), "`[[limits]]` names 2 memos",
            "rename one of them so that the name is unique",
            (Related("api/limits.md", "could be this one"), Related("billing/limits.md", "could be this one")),
            line_text='supersedes: "[[limits]]"',
        ),
        Diagnostic(
            "RL201", "dangling-reference", error, "docs/a.md", Span(3, 5, 3, 13), "`Limits-1` names no memo",
            "did you mean `limits-1`?", (Related("docs/limits-1.md", "differs in letter case", START),),
            Fix(Applicability.SAFE, (TextEdit(Span(3, 5, 3, 13), "limits-1"),)), line_text="  - Limits-1",
        ),
        Diagnostic(
            "RL201", "dangling-reference", error, "docs/a.md", Span(4, 5, 4, 11), "`ADR-12` names no memo",
            "the number fits `0012-use-postgres`", (),
            Fix(Applicability.UNSAFE, (TextEdit(Span(4, 5, 4, 11), "0012-use-postgres"),)), line_text="  - ADR-12",
        ),
        Diagnostic(
            "RL201", "dangling-reference", error, "docs/料金.md", Span(2, 18, 2, 25), "`制限-2024` names no memo",
            line_text=wide,
        ),
        Diagnostic(
            "RL201", "dangling-reference", error, "long.md", Span(2, long.index("memo-120") + 1, 2, long.index("memo-120") + 9),
            "`memo-120` names no memo", line_text=long,
        ),
        Diagnostic(
            "RL102", "invalid-frontmatter", error, "broken.md", Span(2, 13, 4, 1), "the block cannot be read: a list is not closed",
            "close it with `]`; until then nothing in this memo is declared", line_text="supersedes: [a,",
        ),
        Diagnostic("RL001", "unreadable-memo", error, "binary.md", START, "the byte 0xff at 17 is not UTF-8", "save the file as UTF-8"),
        Diagnostic(
            "RL105", "invalid-date", error, "docs/a.md", Span(120, 15, 120, 23), "`2026-2-1` is no day", "write `2026-02-01`", (),
            Fix(Applicability.DISPLAY, (TextEdit(Span(120, 15, 120, 23), "2026-02-01"), TextEdit(Span(120, 23, 120, 25), ""))),
            line_text="\tvalid_until: 2026-2-1 x",
        ),
        Diagnostic("RL209", "version-sibling-unlinked", warning, "plan_v2.md", START, "nothing says that this replaces `plan_v1.md`", line_text="# The plan"),
        Diagnostic(
            "RL207", "successor-not-in-force", warning, "docs/b.md", Span(2, 13, 2, 16), "what replaces `old` is not in force",
            related=(Related("docs/b.md", "in force from 2027-01-01", Span(3, 13, 3, 23)),), clock=True, line_text="supersedes: old",
        ),
        Diagnostic("RL401", "expired-memo", info, "docs/c.md", Span(2, 14, 2, 24), "expired on 2025-12-31", clock=True, line_text="valid_until: 2025-12-31"),
        Diagnostic(
            "RL110", "unquoted-wikilink", info, "docs/c.md", Span(3, 13, 3, 18), "`[[a]]` is a list in a list to YAML", "quote it", (),
            Fix(Applicability.SAFE, (TextEdit(Span(3, 13, 3, 13), '"'), TextEdit(Span(3, 18, 3, 18), '"'))), line_text="supersedes: [[a]]",
        ),
    ]  # fmt: skip
    return build_report(
        tool_version="1.2.3",
        root="/home/ada/memos",
        at="2026-01-31",
        memos=214,
        diagnostics=reversed(diagnostics),
        suppressed=2,
        notes=["the clone is shallow: when older memos came in is unknown"],
        rules=RULES,
    )


def sample_status() -> StatusReport:
    rows = (
        StatusRow("new-limits.md", "ok", valid_from="2026-01-01", recorded="2025-12-30T09:15:00Z"),
        StatusRow("api/limits.md", "superseded", ("new-limits.md",), recorded="2024-03-01T10:00:00Z"),
        StatusRow("docs/料金.md", "superseded", ("api/料金-2025.md", "api/料金-2026.md")),
        StatusRow("docs/c.md", "expired", valid_from="2025-01-01", valid_until="2025-12-31"),
        StatusRow(f"docs/{'very-' * 14}long-name.md", "ambiguous_supersession"),
        StatusRow("broken.md", "invalid_metadata"),
    )
    return StatusReport("1.2.3", "/home/ada/memos", "2026-01-31", "2026-01-15", rows)


def through(name: str, **view: bool) -> Callable[[], str]:
    return lambda: "".join(render(name, sample(), **view))


OUTPUTS: dict[str, Callable[[], str]] = {
    **{name: through(name) for name in FORMATS},
    "full-verbose": through("full", verbose=True),
    "concise-verbose": through("concise", verbose=True),
    "status-text": lambda: "".join(render_text(sample_status())),
    "status-json": lambda: "".join(render_json(sample_status())),
}


@pytest.mark.parametrize("name", OUTPUTS)
def test_the_sample_looks_as_it_did(name: str) -> None:
    assert OUTPUTS[name]().encode() == (DATA / f"{name}.golden").read_bytes()


@pytest.mark.parametrize("name", FORMATS)
def test_every_chunk_of_every_format_is_text_and_the_last_ends_a_line(name: str) -> None:
    assert list(render(name, sample()))[-1].endswith("\n")


def test_colour_changes_no_text() -> None:
    plain = "".join(render("full", sample()))
    colored = "".join(render("full", sample(), color=True))
    assert "\x1b[" not in plain
    assert "\x1b[1;31merror RL202\x1b[0m" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == plain


if __name__ == "__main__":
    for golden, output in OUTPUTS.items():
        (DATA / f"{golden}.golden").write_bytes(output().encode())
