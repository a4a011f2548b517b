"""The gate (BEHAVIOURS G1, G2, G4 to G12, D16's like for thresholds).

That it stands before any retrieval call (G3) is shown where a search is made.
"""

import dataclasses
import itertools

import pytest

from recall_core.trust.advice import advise
from recall_core.trust.grounds import Grounds, TrustState
from recall_core.trust.policy import CalibrationStatus, FailureCode, Mode, Readiness, TrustPolicy, parse_trust_mode
from recall_core.trust.refusal import Refusal, SearchRefusedError
from recall_core.trust.threshold import Threshold

CODES = [
    "DEPENDENCY_UNAVAILABLE",
    "INDEX_NOT_READY",
    "LINEAGE_MISMATCH",
    "CALIBRATION_STALE",
    "CALIBRATION_UNCERTIFIED",
    "CALIBRATION_MISSING",
]
REMEDIES = dict(zip(CODES, ["doctor", "index", "index --promote", "calibrate", "calibrate", "calibrate"], strict=True))
THRESHOLD = Threshold(0.6, 0.05)


def test_g1_strict_unless_said_otherwise():
    assert TrustPolicy().is_strict
    assert TrustPolicy() == TrustPolicy.strict()
    assert not TrustPolicy.development().is_strict


def test_g1_the_policy_of_a_judgment_cannot_be_left_out(world):
    required = {field.name for field in dataclasses.fields(Grounds) if field.default is dataclasses.MISSING}
    assert {"policy", "readiness", "tenant_id"} <= required
    with pytest.raises(TypeError):
        Readiness(True, True, True)


@pytest.mark.parametrize("text", ["development", "Development", "DEVELOPMENT", "  development\n", "\tDevElopMent "])
def test_g9_development_in_any_case_and_with_blanks(text):
    assert parse_trust_mode(text).mode is Mode.DEVELOPMENT


@pytest.mark.parametrize(
    "text",
    [None, "", " ", "developmnet", "dev", "true", "0", "strict", "production", "development mode", "develop\u00adment"],
)
def test_g9_anything_else_is_strict(text):
    assert parse_trust_mode(text).is_strict


def test_g2_six_codes_in_order_and_their_spelling():
    assert [code.value for code in FailureCode] == CODES


@pytest.mark.parametrize("code", FailureCode, ids=lambda code: code.value)
def test_g2_advice_says_that_no_decision_was_possible_and_what_to_type(code):
    advice = advise(code)
    assert advice.startswith("No trustworthy decision was possible")
    assert f"`recall {REMEDIES[code.value]}" in advice
    assert not any(word in advice.lower() for word in ("not found", "no answer", "no result", "nothing was found"))


def test_advice_names_the_tenant_and_the_generation_fit_for_a_shell():
    advice = advise(FailureCode.CALIBRATION_MISSING, tenant_id="a; rm -rf", generation_id="gen_1")
    assert "`recall --tenant 'a; rm -rf' calibrate --generation gen_1 --queries FILE --publish`" in advice
    assert "--tenant" not in advise(FailureCode.CALIBRATION_MISSING, tenant_id="default")
    assert "{" not in advise(FailureCode.CALIBRATION_STALE, tenant_id="{x}", generation_id="{y}").replace(
        "{x}", ""
    ).replace("{y}", "")


@pytest.mark.parametrize(
    ("status", "code"),
    [
        ("certified", None),
        ("draft", "CALIBRATION_UNCERTIFIED"),
        ("rejected", "CALIBRATION_UNCERTIFIED"),
        ("legacy", "CALIBRATION_UNCERTIFIED"),
        ("unknown", "CALIBRATION_UNCERTIFIED"),
        ("superseded", "CALIBRATION_STALE"),
        ("stale", "CALIBRATION_STALE"),
        ("missing", "CALIBRATION_MISSING"),
    ],
)
def test_g5_each_status_has_its_code(tools, status, code):
    grounds = tools.make_grounds(CalibrationStatus(status))
    assert (grounds.failure_code and grounds.failure_code.value) == code
    assert (grounds.refusal is None) is (code is None)
    assert len(CalibrationStatus) == 8


def test_g6_g7_g8_the_first_code_that_holds():
    for reachable, generation, lineage, status in itertools.product(
        [True, False], [True, False], [True, False], CalibrationStatus
    ):
        holding = [
            code
            for code, holds in [
                ("DEPENDENCY_UNAVAILABLE", not reachable),
                ("INDEX_NOT_READY", not generation),
                ("LINEAGE_MISMATCH", not lineage),
                (status.failure and status.failure.value, status.failure is not None),
            ]
            if holds
        ]
        failure = Readiness(reachable, generation, lineage, status).failure
        assert (failure and failure.value) == (holding[0] if holding else None)
        assert holding == sorted(holding, key=CODES.index)


def test_g4_a_refusal_has_room_for_identities_only(tools):
    assert [field.name for field in dataclasses.fields(Refusal)] == [
        "failure_code",
        "calibration_status",
        "tenant_id",
        "generation_id",
    ]
    refusal = tools.make_grounds(CalibrationStatus.MISSING, source="secret-notes").refusal
    assert list(refusal.to_json()) == [
        "version", "refused", "failure_code", "calibration_status", "advice", "tenant_id", "generation_id",
    ]  # fmt: skip
    assert refusal.to_json()["refused"] is True
    assert "secret-notes" not in str(refusal.to_json())


def test_g4_the_error_shows_the_code_and_what_to_type(tools):
    with pytest.raises(SearchRefusedError) as refused:
        tools.make_grounds(CalibrationStatus.STALE).admit()
    assert refused.value.message == "CALIBRATION_STALE"
    assert refused.value.help == refused.value.refusal.advice


@pytest.mark.parametrize("status", [each for each in CalibrationStatus if each is not CalibrationStatus.CERTIFIED])
def test_a_judgment_repeats_the_gate(tools, world, status):
    with pytest.raises(SearchRefusedError):
        world({"a.md": ""}).search(("a.md", 0.9), grounds=tools.make_grounds(status))


@pytest.mark.parametrize("missing", [{"threshold": None}, {"calibration_id": None}, {"calibration_id": ""}])
def test_strict_needs_a_threshold_and_the_id_of_its_calibration(tools, world, missing):
    threshold = missing.get("threshold", THRESHOLD)
    grounds = tools.make_grounds(**{key: value for key, value in missing.items() if key != "threshold"})
    with pytest.raises(SearchRefusedError) as refused:
        world({"a.md": ""}).search(("a.md", 0.9), grounds=grounds, threshold=threshold)
    assert refused.value.refusal.failure_code is FailureCode.CALIBRATION_UNCERTIFIED


@pytest.mark.parametrize("status", CalibrationStatus)
def test_g10_development_is_degraded_whatever_the_status_says(tools, world, status):
    result = world({"a.md": ""}, threshold=None).search(
        ("a.md", 0.9), grounds=tools.make_grounds(status, is_strict=False)
    )
    assert result.trust_state is TrustState.DEGRADED
    assert not result.is_calibrated
    assert result.grounds.failure_code is status.failure
    assert [hit.verdict.value for hit in result.hits] == ["unverified"]
    assert [hit.confidence for hit in result.hits] == [None]
    assert not result.abstained


def test_g10_development_does_not_abstain_over_nothing(tools, world):
    result = world({}, threshold=None).search(grounds=tools.make_grounds(CalibrationStatus.MISSING, is_strict=False))
    assert (result.abstained, result.reason, result.reason_code) == (False, "", None)


def test_g11_development_keeps_the_verdicts_of_a_calibration_that_was_handed_in(tools, world):
    grounds = tools.make_grounds(CalibrationStatus.LEGACY, is_strict=False, calibration_id=None)
    result = world({"a.md": "", "b.md": ""}).search(("a.md", 0.9), ("b.md", 0.1), grounds=grounds)
    assert [hit.verdict.value for hit in result.hits] == ["ok", "low_confidence"]
    assert result.trust_state is TrustState.DEGRADED
    assert not result.is_calibrated
    assert world({"b.md": ""}).search(("b.md", 0.1), grounds=grounds).abstained


def test_g8_another_embedder_drops_the_threshold(tools, world):
    readiness = Readiness(True, True, False, CalibrationStatus.CERTIFIED)
    grounds = tools.make_grounds(is_strict=False, readiness=readiness)
    result = world({"a.md": ""}).search(("a.md", 0.9), grounds=grounds)
    assert result.threshold is None
    assert [hit.verdict.value for hit in result.hits] == ["unverified"]
    with pytest.raises(SearchRefusedError) as refused:
        tools.make_grounds(readiness=readiness).admit()
    assert refused.value.refusal.failure_code is FailureCode.LINEAGE_MISMATCH


@pytest.mark.parametrize("readiness", [(False, True), (True, False)], ids=["outage", "no-generation"])
def test_g7_development_refuses_too_where_there_is_nothing_to_search(tools, readiness):
    grounds = tools.make_grounds(is_strict=False, readiness=Readiness(*readiness, True, CalibrationStatus.CERTIFIED))
    with pytest.raises(SearchRefusedError):
        grounds.admit()


def test_g12_calibrated_takes_a_certificate_an_id_and_a_trusted_state(tools, world):
    result = world({"a.md": ""}).search(("a.md", 0.9), grounds=tools.make_grounds(query_set_digest="sha256:1"))
    assert result.is_calibrated
    assert result.trust_state is TrustState.TRUSTED
    assert (result.grounds.generation_id, result.grounds.calibration_id) == ("gen_1", "cal_1")
    assert result.grounds.query_set_digest == "sha256:1"
    for strict, status, identity in itertools.product([True, False], CalibrationStatus, ["cal_1", "", None]):
        grounds = tools.make_grounds(status, is_strict=strict, calibration_id=identity)
        assert grounds.is_calibrated is (strict and status is CalibrationStatus.CERTIFIED and identity == "cal_1")
