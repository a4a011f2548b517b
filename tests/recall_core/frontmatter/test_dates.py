"""Days and windows."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.frontmatter.dates import last_instant, parse_day, repair_day
from recall_core.frontmatter.read import read_memo
from recall_core.graph.corpus import Corpus
from recall_core.graph.evaluate import Evaluation, as_utc
from recall_core.model.verdict import Verdict


def verdict(block: str, at: datetime) -> Verdict:
    memo = read_memo("a.md", f"---\n{block}\n---\n".encode())
    return Evaluation(Corpus([memo]), at=at).verdict(memo)


def test_valid_from_starts_at_midnight_utc_inclusive() -> None:  # B1
    start = datetime(2026, 2, 1, tzinfo=UTC)
    assert verdict("valid_from: 2026-02-01", start) is Verdict.OK
    assert verdict("valid_from: 2026-02-01", start - timedelta(microseconds=1)) is Verdict.NOT_YET_VALID


def test_valid_until_lasts_to_the_last_microsecond_inclusive() -> None:  # B2
    end = last_instant(date(2026, 2, 1))
    assert end == datetime(2026, 2, 1, 23, 59, 59, 999999, UTC)
    assert verdict("valid_until: 2026-02-01", end) is Verdict.OK
    assert verdict("valid_until: 2026-02-01", end + timedelta(microseconds=1)) is Verdict.EXPIRED


@pytest.mark.parametrize("text", ["2026-02-01", "2024-02-29", "0026-01-01", "0001-01-01", "9999-12-31"])
def test_a_real_padded_day_is_accepted(text: str) -> None:  # B3
    day = parse_day(text)
    assert day
    assert day.isoformat() == text


@pytest.mark.parametrize(
    "text",
    [
        "2026-2-1", "2026-02-30", "2026/02/01", "26-02-01", "2025-02-29", "0000-01-01", "2026-13-01", "2026-00-10", "2026-02-010", "20260201",
        "2026-W05-7", "2026-032", "2026-02-01T00:00:00Z", "2026-02-01 ", " 2026-02-01", "2026-02-01\n", "-2026-02-01", "\uff12\uff10\uff12\uff16-02-01", "2026\u201002\u201001", "", "today",
    ],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:  # B3
    assert parse_day(text) is None


def test_a_start_after_the_end_is_invalid_metadata() -> None:  # B4
    at = datetime(2026, 1, 1, tzinfo=UTC)
    assert verdict("valid_from: 2026-01-02\nvalid_until: 2026-01-01", at) is Verdict.INVALID_METADATA
    assert verdict("valid_from: 2026-01-01\nvalid_until: 2026-01-01", at) is Verdict.OK


def test_a_naive_instant_is_read_as_utc() -> None:  # B5
    assert as_utc(datetime(2026, 1, 1)) == datetime(2026, 1, 1, tzinfo=UTC)  # noqa: DTZ001 - naive on purpose
    assert verdict("valid_from: 2026-02-01", datetime(2026, 2, 1)) is Verdict.OK  # noqa: DTZ001 - naive on purpose
    west = timezone(timedelta(hours=-5))
    assert verdict("valid_until: 2026-02-01", datetime(2026, 2, 1, 20, tzinfo=west)) is Verdict.EXPIRED


@pytest.mark.parametrize(
    ("block", "at"), [("valid_from: 2026-01-01", 9999), ("valid_until: 2026-01-01", 1), ("title: x", 2026)]
)
def test_both_ends_are_optional(block: str, at: int) -> None:  # B8
    assert verdict(block, datetime(at, 6, 1, tzinfo=UTC)) is Verdict.OK


@given(st.dates())
def test_every_day_is_read_back(day: date) -> None:
    assert parse_day(day.isoformat()) == day


@given(st.text(max_size=12) | st.text(alphabet="0123456789-/.T:Z ", max_size=12))
def test_what_is_read_is_written_the_one_way(text: str) -> None:
    day = parse_day(text)
    assert day is None or day.isoformat() == text
    repaired = repair_day(text)
    assert repaired is None or parse_day(repaired)


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("2026-1-5", "2026-01-05"),
        ("2026/01/05", "2026-01-05"),
        ("2026.1.5", "2026-01-05"),
        ("2026-1/5", None),
        ("5-1-2026", None),
        ("2026-2-30", None),
        ("26-1-5", None),
        ("2026-001-5", None),
    ],
)
def test_a_day_written_year_first_can_be_repaired(text: str, repaired: str | None) -> None:
    assert repair_day(text) == repaired
