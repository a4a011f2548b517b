from recall_core.model.verdict import Verdict
from recall_lint.formats.status import StatusReport, StatusRow, render_text


def lines(*rows: StatusRow, known_at: str | None = None) -> list[str]:
    return "".join(render_text(StatusReport("1", "/r", "2026-01-31", known_at, rows))).splitlines()


def test_what_is_not_in_force_stands_first_and_every_memo_has_a_line() -> None:
    rows = [StatusRow(f"{index}.md", verdict.value) for index, verdict in enumerate(reversed(Verdict))]
    shown = lines(*rows)
    assert [line.split()[0] for line in shown[:-1]] == [verdict.value for verdict in Verdict]


def test_a_successor_stands_after_an_arrow_and_a_window_after_it() -> None:
    row = StatusRow("a.md", "superseded", ("b.md", "c\n.md"), "2025-01-01", "2025-12-31")
    assert lines(row)[0] == "superseded  a.md  -> b.md, c\\n.md  from 2025-01-01  until 2025-12-31"


def test_the_last_line_counts_and_says_which_day() -> None:
    assert lines()[-1] == "0 memos; as of 2026-01-31."
    shown = lines(StatusRow("a.md", "ok"), StatusRow("b.md", "ok"), StatusRow("c.md", "expired"), known_at="2026-01-15")
    assert shown[-1] == "3 memos: 1 expired, 2 ok; as of 2026-01-31, as known at 2026-01-15."


def test_no_line_ends_in_blanks() -> None:
    assert not [
        line for line in lines(StatusRow("a.md", "ok"), StatusRow("longer.md", "expired")) if line.endswith(" ")
    ]
