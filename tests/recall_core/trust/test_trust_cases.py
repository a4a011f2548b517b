"""The awkward searches under tests/data/cases/trust give the verdicts of their `expect.md`."""

import re

import pytest

from recall_core.errors import RecallError
from recall_core.trust.policy import CalibrationStatus, Readiness, TrustPolicy
from recall_core.trust.promote import find_missing_successors

NAMES = (
    "01-replaced-preference-both-returned",
    "02-contradiction-must-not-erase",
    "04-history-arrives-late",
    "05-last-valid-day-is-inclusive",
    "06-as-of-before-expiry",
    "08-same-stem-in-two-folders",
    "10-two-spellings-of-one-title",
    "11-no-memory-about-it",
    "16-one-correction-retires-five",
)
ELSEWHERE = {"13-wrong-dimension-is-not-no-result"}
ROW = re.compile(r"^\| (.+?\.md) \| ([0-9.]+) \| (.+?) \| (.*?) ?\|$", re.MULTILINE)


def read(folder):
    """The memos of a case, and its `expect.md`: fields by name and the rows of its table."""
    text = (folder / "expect.md").read_text("utf-8")
    files = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*.md"))
        if path.name != "expect.md"
    }
    # A memo without a block is read as it is; the builder puts fences around anything else.
    files = {path: content if content.startswith("---\n") else "" for path, content in files.items()}
    clock = re.search(r"Clock \(UTC\): `(.+?)`", text)[1]
    as_of = re.search(r"As-of date asked for: `(.+?)`", text)
    abstained = re.search(r"abstained: \*\*(true|false)\*\*", text)
    return files, clock, as_of and as_of[1], ROW.findall(text), abstained and abstained[1] == "true"


@pytest.fixture
def case(cases, world):
    def search(name, at=None, leave_out=(), fetched=()):
        files, clock, as_of, rows, abstained = read(cases / "trust" / name)
        made = world(files, at=at or as_of or clock)
        hits = sorted(((path, float(cosine)) for path, cosine, _, _ in rows), key=lambda pair: -pair[1])
        hits = [pair for pair in hits if pair[0] not in leave_out]
        return made, hits, made.search(*hits, fetched=fetched, standings=made.standings), rows, abstained

    return search


def test_every_case_is_tried(cases):
    assert {folder.name for folder in (cases / "trust").iterdir()} == {*NAMES, *ELSEWHERE}


@pytest.mark.parametrize("name", NAMES)
def test_a_case_gives_its_verdicts(case, name):
    _, _, result, rows, abstained = case(name)
    assert rows
    found = {hit.path: hit for hit in result.hits}
    assert len(found) == len(rows)
    for path, _, right, successor in rows:
        hit = found[path]
        assert hit.verdict.value == right.split()[0].rstrip(";")
        assert hit.superseded_by == ((successor,) if successor else ())
        assert (hit.promoted_from is not None) is ("promoted" in right)
    assert result.abstained is abstained


def test_a_second_after_the_last_valid_day(case):
    _, _, result, _, _ = case("05-last-valid-day-is-inclusive", at="2027-02-01T00:00:00Z")
    assert [hit.verdict.value for hit in result.hits] == ["expired"]
    assert result.reason_code == "outside_window"
    assert "2027-01-31" in result.reason


def test_as_of_now_the_other_campaign_holds(case):
    _, _, result, _, _ = case("06-as-of-before-expiry", at="2026-12-15")
    assert [(hit.path, hit.verdict.value) for hit in result.hits] == [("winter.md", "ok"), ("autumn.md", "expired")]


def test_an_ambiguous_stem_asks_to_disambiguate(case):
    _, _, result, _, _ = case("08-same-stem-in-two-folders")
    assert result.reason_code == "ambiguous_supersession"
    assert "disambiguate the corpus" in result.reason


def test_a_keyword_does_not_silence_the_gap_warning(case):
    _, _, result, _, _ = case("11-no-memory-about-it")
    assert result.gap_warning
    assert result.reason_code == "low_confidence"


def test_one_correction_is_named_and_can_be_fetched(case):
    made, hits, result, _, _ = case("16-one-correction-retires-five", leave_out={"vault-fix.md"})
    assert {hit.superseded_by for hit in result.hits} == {("vault-fix.md",)}
    assert result.reason_code == "superseded"
    assert "`vault-fix.md`" in result.reason
    candidates = [made.candidate(*pair) for pair in hits]
    assert find_missing_successors(candidates, made.instants, made.threshold) == ("vault-fix.md",)
    _, _, result, _, _ = case(
        "16-one-correction-retires-five", leave_out={"vault-fix.md"}, fetched=[("vault-fix.md", 0.2)]
    )
    assert (result.hits[0].path, result.hits[0].promoted_from) == ("vault-fix.md", "vault-1.md")
    assert not result.abstained


@pytest.mark.parametrize(
    ("readiness", "code"),
    [
        (Readiness(True, True, False, CalibrationStatus.CERTIFIED), "LINEAGE_MISMATCH"),
        (Readiness(False, True, True, CalibrationStatus.CERTIFIED), "DEPENDENCY_UNAVAILABLE"),
    ],
    ids=["another-embedder", "the-store-raises"],
)
def test_a_wrong_dimension_is_not_no_result(cases, tools, readiness, code):
    name = "13-wrong-dimension-is-not-no-result"
    text = (cases / "trust" / name / "retries.md").read_text("utf-8")
    grounds = tools.make_grounds(policy=TrustPolicy(), readiness=readiness)
    with pytest.raises(RecallError) as refused:
        grounds.admit()
    assert refused.value.refusal.failure_code.value == code
    shown = f"{refused.value.message} {refused.value.help} {refused.value.refusal.to_json()}"
    assert text.strip() not in shown
    assert "retries.md" not in shown
