"""Which artifact serves a generation (H8, H9, H10, G5), in the order of the contract."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.calibration.artifact import Artifact, Binding, State
from recall_core.calibration.artifact_json import seal
from recall_core.calibration.evidence import Evidence
from recall_core.calibration.measure import Maker, build_artifact, take_sample
from recall_core.calibration.queryset import QuerySet, build_query_set
from recall_core.calibration.rule import Midgap
from recall_core.calibration.sample import Sample
from recall_core.calibration.status import Record, Resolution, resolve
from recall_core.model.calibration import CalibrationStatus, FailureCode


@pytest.fixture
def record(artifact: Artifact, queries: QuerySet) -> Callable[..., Record]:
    def make(state: State | None, *, labels: str | None = queries.digest, **bound: Any) -> Record:
        binding = replace(artifact.binding, **bound)
        return Record(state, seal(replace(artifact, binding=binding)), labels)

    return make


def look(binding: Binding, *records: Record, **serving: Any) -> Resolution:
    return resolve(records, binding, replace(binding.lineage, **serving))


def test_a_certified_published_artifact_of_exactly_this_generation_serves(
    record: Callable[..., Record], binding: Binding, artifact: Artifact
) -> None:
    found = look(binding, record(State.PUBLISHED))
    assert found == Resolution(CalibrationStatus.CERTIFIED, True, artifact, f"{artifact.id} is published")
    assert found.failure is None


@pytest.mark.parametrize(
    ("state", "status", "code"),
    [
        (State.DRAFT, CalibrationStatus.DRAFT, FailureCode.CALIBRATION_UNCERTIFIED),
        (State.REJECTED, CalibrationStatus.REJECTED, FailureCode.CALIBRATION_UNCERTIFIED),
        (State.LEGACY_UNBOUND, CalibrationStatus.LEGACY, FailureCode.CALIBRATION_UNCERTIFIED),
        (None, CalibrationStatus.UNKNOWN, FailureCode.CALIBRATION_UNCERTIFIED),
        (State.SUPERSEDED, CalibrationStatus.SUPERSEDED, FailureCode.CALIBRATION_STALE),
    ],
)
def test_each_state_alone(
    record: Callable[..., Record],
    binding: Binding,
    state: State | None,
    status: CalibrationStatus,
    code: FailureCode,
) -> None:
    """G5, H10; H7 for the former format."""
    for each in (record(state), Record(state, None, None)):
        found = look(binding, each)
        assert (found.status, found.failure, found.artifact, found.has_same_lineage) == (status, code, None, True)


def test_nothing_is_missing(binding: Binding) -> None:
    """G5."""
    found = look(binding)
    assert (found.status, found.failure) == (CalibrationStatus.MISSING, FailureCode.CALIBRATION_MISSING)


def test_a_new_generation_is_missing_until_it_is_measured(record: Callable[..., Record], binding: Binding) -> None:
    """H8: what another generation, or another tenant, has published is nothing here."""
    for other in (record(State.PUBLISHED, generation="gen_0"), record(State.PUBLISHED, tenant="other")):
        assert look(binding, other).failure is FailureCode.CALIBRATION_MISSING


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"embedder": "model@sha256:01"}, "another embedder"),
        ({"dimension": 768}, "another length"),
        ({"pipeline_fingerprint": "sha256:x"}, "another pipeline"),
    ],
)
def test_another_lineage_comes_first(
    record: Callable[..., Record], binding: Binding, change: dict[str, Any], said: str
) -> None:
    """H10: of the serving side, and of the artifact; whatever else is wrong."""
    for found in (
        look(binding, record(State.PUBLISHED), **change),
        look(binding, record(State.PUBLISHED, **change)),
        look(binding, record(State.PUBLISHED, **change, corpus_fingerprint="sha256:x")),
        look(binding, record(State.PUBLISHED, **change, labels=None)),
    ):
        assert found.failure is FailureCode.LINEAGE_MISMATCH
        assert found.status is CalibrationStatus.STALE
        assert found.artifact is None
        assert said in found.reason
    assert look(binding, **change).failure is FailureCode.LINEAGE_MISMATCH
    assert look(binding, **change).status is CalibrationStatus.MISSING


def test_an_unpublished_artifact_of_another_lineage_decides_nothing(
    record: Callable[..., Record], binding: Binding, artifact: Artifact
) -> None:
    records = (record(State.DRAFT, embedder="other"), record(State.SUPERSEDED, dimension=1))
    assert look(binding, *records, record(State.PUBLISHED)).artifact == artifact
    assert look(binding, records[0]).failure is FailureCode.CALIBRATION_UNCERTIFIED


def test_what_was_published_and_no_longer_binds_is_stale(
    record: Callable[..., Record], binding: Binding, artifact: Artifact, queries: QuerySet
) -> None:
    """H9, H10: forgetting changes the corpus; labels are taken from what is stored; a checksum fits or does not."""
    tampered = Record(State.PUBLISHED, replace(artifact, placement=replace(artifact.placement, threshold=0.1)), None)
    for each, said in (
        (record(State.PUBLISHED, corpus_fingerprint="sha256:before"), "corpus has changed"),
        (record(State.PUBLISHED, labels="sha256:others"), "labels"),
        (record(State.PUBLISHED, labels=None), "labels"),
        (replace(tampered, labels=queries.digest), "checksum"),
        (Record(State.PUBLISHED, None, queries.digest), "checksum"),
    ):
        found = look(binding, each)
        assert (found.status, found.failure) == (CalibrationStatus.STALE, FailureCode.CALIBRATION_STALE)
        assert found.artifact is None
        assert said in found.reason


def test_a_checksum_that_was_taken_where_it_was_read_is_not_taken_again(
    artifact: Artifact, binding: Binding, queries: QuerySet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """H12: whoever reads the text verifies it; a search that holds what was read need not."""
    record = Record(State.PUBLISHED, artifact, queries.digest)
    monkeypatch.setattr("recall_core.calibration.status.is_sealed", lambda _: False)
    assert look(binding, record).status is CalibrationStatus.STALE
    assert look(binding, replace(record, is_verified=True)).artifact == artifact


def test_signals_that_are_computed_in_another_way_make_it_stale(
    binding: Binding, artifact: Artifact, queries: QuerySet
) -> None:
    old = seal(replace(artifact, evidence=Evidence("signals-0", (0.0,), (0.0,))))
    found = look(binding, Record(State.PUBLISHED, old, queries.digest))
    assert found.failure is FailureCode.CALIBRATION_STALE


def test_published_without_being_certified_is_uncertified(
    build: Callable[..., Artifact], overlapping: list[Sample], binding: Binding, queries: QuerySet
) -> None:
    """H2: no command does this; a row that says so is not believed."""
    found = look(binding, Record(State.PUBLISHED, build(overlapping), queries.digest))
    assert found.failure is FailureCode.CALIBRATION_UNCERTIFIED
    assert found.artifact is None


def test_two_published_ones_are_believed_neither(record: Callable[..., Record], binding: Binding) -> None:
    found = look(binding, record(State.PUBLISHED), record(State.PUBLISHED))
    assert (found.artifact, found.failure) == (None, FailureCode.CALIBRATION_UNCERTIFIED)


def test_mixtures_in_every_order(record: Callable[..., Record], binding: Binding, artifact: Artifact) -> None:
    """G5: the first code of the contract that holds, however the rows lie."""
    published, stale = record(State.PUBLISHED), record(State.PUBLISHED, corpus_fingerprint="x")
    others = [Record(state, None, None) for state in (State.DRAFT, State.REJECTED, State.LEGACY_UNBOUND, None)]
    superseded = record(State.SUPERSEDED)
    for records, status in (
        ([published, superseded, others[0]], CalibrationStatus.CERTIFIED),
        ([stale, superseded, others[0]], CalibrationStatus.STALE),
        ([superseded, *others[:3]], CalibrationStatus.SUPERSEDED),
        (others, CalibrationStatus.DRAFT),
        (others[1:], CalibrationStatus.REJECTED),
        (others[2:], CalibrationStatus.LEGACY),
    ):
        for order in permutations(records):
            found = look(binding, *order)
            assert found.status is status
            assert (found.artifact == artifact) == (status is CalibrationStatus.CERTIFIED)


RECORDS = st.lists(st.tuples(st.sampled_from([*State, None]), st.booleans(), st.booleans(), st.booleans()), max_size=5)


@given(RECORDS, st.booleans())
def test_nothing_serves_but_the_one_that_agrees_in_everything(
    built: tuple[Artifact, str], rows: list[tuple[State | None, bool, bool, bool]], is_served_the_same: bool
) -> None:
    artifact, digest = built
    records = []
    for state, same_lineage, same_corpus, same_labels in rows:
        binding = replace(
            artifact.binding,
            embedder=artifact.binding.embedder if same_lineage else "other",
            corpus_fingerprint=artifact.binding.corpus_fingerprint if same_corpus else "other",
        )
        records.append(Record(state, seal(replace(artifact, binding=binding)), digest if same_labels else None))
    serving = replace(artifact.binding.lineage, embedder=artifact.binding.embedder if is_served_the_same else "other")
    found = resolve(records, artifact.binding, serving)
    published = [row for row in rows if row[0] is State.PUBLISHED]
    expected = is_served_the_same and published == [(State.PUBLISHED, True, True, True)]
    assert (found.artifact is not None) == (found.failure is None) == expected
    assert found.reason


@pytest.fixture(scope="module")
def built() -> tuple[Artifact, str]:
    queries = build_query_set([{"query": f"q{number}", "answerable": number % 2 == 0} for number in range(60)])
    samples = [take_sample(entry, 0.8 if entry.answerable else 0.2) for entry in queries]
    maker = Maker("ada", datetime(2026, 3, 1, tzinfo=UTC), "1")
    artifact = build_artifact(queries, samples, Midgap(), Binding("t", "g", "m", 3, "p", "c"), maker)
    assert isinstance(artifact, Artifact)
    return artifact, queries.digest
