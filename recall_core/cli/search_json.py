"""The stable JSON of `search`; its schema is `recall_lint/schema/search.schema.json`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from enum import Enum

from recall_core.adapters.encode import dumps, text
from recall_core.app.answer import SearchResult
from recall_core.cli.generations import instant
from recall_core.ports.store import Retrieved
from recall_core.trust.explain import explain as explain_hit
from recall_core.trust.hit import Hit
from recall_core.trust.refusal import Refusal
from recall_core.trust.result import TrustResult
from recall_core.trust.staleness import Staleness


def render(result: SearchResult, *, explain: bool) -> Iterator[str]:
    """One object, every hit on a line of its own."""
    judged, generation, grounds = result.judged, result.generation, result.judged.grounds
    head = {
        "version": 1,
        "query": text(result.query),
        "k": result.k,
        "at": result.at,
        "known_at": result.known_at,
        "mode": grounds.policy.mode.value,
        "abstained": judged.abstained,
        "reason": text(judged.reason),
        "reason_code": judged.reason_code,
        "calibrated": judged.is_calibrated,
        "calibration_id": grounds.calibration_id,
        "calibration_status": grounds.calibration_status.value,
        "threshold": judged.threshold.value if judged.threshold is not None else None,
        "tenant_id": generation.tenant,
        "generation_id": generation.id,
        "pipeline_fingerprint": generation.pipeline.fingerprint,
        "corpus_fingerprint": generation.corpus_fingerprint,
        "query_set_digest": grounds.query_set_digest,
        "trust_state": judged.trust_state.value,
        "failure_code": grounds.failure_code.value if grounds.failure_code is not None else None,
        "gap_warning": judged.gap_warning,
        "staleness": _staleness_object(judged.staleness),
        "diagnostics": _clean(result.diagnostics),
    }
    yield f'{dumps(head)[:-1]},"hits":['
    separator = "\n"
    for hit in judged.hits:
        value = _hit_object(hit)
        if explain:
            value["why"] = _clean(list_why(hit, judged))
        yield f"{separator}{dumps(value)}"
        separator = ",\n"
    yield "\n]}\n" if judged.hits else "]}\n"


def render_refusal(refusal: Refusal) -> Iterator[str]:
    """One object with identities alone."""
    yield f"{dumps(_clean(refusal.to_json()))}\n"


def list_why(hit: Hit, result: TrustResult) -> dict[str, object]:
    """Every input of the verdict by name, and where each leg ranked the hit (None where it did not)."""
    why = explain_hit(hit, result)
    found: dict[str, object] = {each.name: getattr(why, each.name) for each in fields(why)}
    if isinstance(hit.candidate, Retrieved):
        candidate = hit.candidate
        ranks = {"dense_rank": candidate.dense_rank, "lexical_rank": candidate.lexical_rank}
        found |= {"bm25": candidate.lexical, **ranks}
    return found


def _hit_object(hit: Hit) -> dict[str, object]:
    provenance, validity = hit.provenance, hit.validity
    return {
        "verdict": hit.verdict.value,
        "confidence": hit.confidence,
        "cosine": hit.cosine,
        "text": text(hit.text),
        "promoted_from": text(hit.promoted_from) if hit.promoted_from is not None else None,
        "provenance": {
            "source": text(provenance.source),
            "path": text(provenance.path),
            "ordinal": provenance.ordinal,
            "line": provenance.line,
            "end_line": provenance.end_line,
            "heading": text(provenance.heading),
            "indexed_at": instant(provenance.indexed_at),
        },
        "validity": {
            "valid_from": _clean(validity.valid_from),
            "valid_until": _clean(validity.valid_until),
            "superseded_by": [text(path) for path in validity.superseded_by],
        },
    }


def _staleness_object(staleness: Staleness) -> dict[str, object]:
    return {
        "stale": staleness.is_stale,
        "newest": instant(staleness.newest) if staleness.newest is not None else None,
        "age_seconds": int(staleness.age_seconds) if staleness.age_seconds is not None else None,
        "max_age_seconds": int(staleness.max_age_seconds) if staleness.max_age_seconds is not None else None,
    }


def _clean(value: object) -> object:
    """Plain values whose strings any encoder takes."""
    match value:
        case str():
            return text(value)
        case Enum():
            return value.value
        case datetime():
            return instant(value)
        case Mapping():
            return {text(str(key)): _clean(each) for key, each in value.items()}
        case Sequence():
            return [_clean(each) for each in value]
        case _:
            return value
