"""The stable JSON of `search`; its schema is `recall_lint/schema/search.schema.json`."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from recall_core.adapters.encode import dumps, text
from recall_core.app.answer import Hit, Refusal, SearchResult, Value
from recall_core.cli.generations import instant


def render(result: SearchResult, *, explain: bool) -> Iterator[str]:
    """One object, every hit on a line of its own."""
    judged, generation, staleness = result.judged, result.generation, result.staleness
    head = {
        "version": 1,
        "query": text(result.query),
        "k": result.k,
        "at": result.at,
        "known_at": result.known_at,
        "mode": result.mode.value,
        "abstained": judged.abstained,
        "reason": text(judged.reason),
        "reason_code": judged.reason_code,
        "calibrated": result.calibration_id is not None,
        "calibration_id": result.calibration_id,
        "calibration_status": result.calibration_status,
        "threshold": judged.threshold,
        "tenant_id": generation.tenant,
        "generation_id": generation.id,
        "pipeline_fingerprint": generation.pipeline.fingerprint,
        "corpus_fingerprint": generation.corpus_fingerprint,
        "query_set_digest": result.query_set_digest,
        "trust_state": "trusted" if result.is_trusted else "degraded",
        "failure_code": result.failure_code,
        "gap_warning": judged.gap_warning,
        "staleness": {
            "stale": staleness.stale,
            "newest": instant(staleness.newest),
            "age_seconds": int(staleness.age.total_seconds()),
            "max_age_seconds": int(staleness.max_age.total_seconds()),
        },
        "diagnostics": _clean(result.diagnostics),
    }
    yield f'{dumps(head)[:-1]},"hits":['
    source = f"{generation.root}@{generation.revision}"
    separator = "\n"
    for hit in judged.hits:
        yield f"{separator}{dumps(_hit_object(hit, source, explain=explain))}"
        separator = ",\n"
    yield "\n]}\n" if judged.hits else "]}\n"


def render_refusal(refusal: Refusal) -> Iterator[str]:
    """One object with identities alone."""
    value = {
        "version": 1,
        "refused": True,
        "failure_code": refusal.failure_code,
        "calibration_status": refusal.calibration_status,
        "advice": text(refusal.advice),
        "tenant_id": refusal.tenant,
        "generation_id": refusal.generation,
    }
    yield f"{dumps(value)}\n"


def _hit_object(hit: Hit, source: str, *, explain: bool) -> dict[str, object]:
    chunk = hit.chunk
    value: dict[str, object] = {
        "verdict": hit.verdict,
        "confidence": hit.confidence,
        "cosine": hit.cosine,
        "text": text(chunk.text),
        "promoted_from": text(hit.promoted_from) if hit.promoted_from is not None else None,
        "provenance": {
            "source": text(source),
            "path": text(hit.path),
            "ordinal": chunk.ordinal,
            "line": chunk.line,
            "end_line": chunk.end_line,
            "heading": text(chunk.heading),
            "indexed_at": instant(hit.indexed_at),
        },
        "validity": {
            "valid_from": _day(hit.valid_from),
            "valid_until": _day(hit.valid_until),
            "superseded_by": [text(path) for path in hit.superseded_by],
        },
    }
    return {**value, "why": _clean(hit.why)} if explain else value


def _day(value: date | None) -> str | None:
    return value.isoformat() if value is not None else None


def _clean(value: Value) -> object:
    """Plain values whose strings any encoder takes."""
    if isinstance(value, str):
        return text(value)
    if isinstance(value, Mapping):
        return {text(key): _clean(each) for key, each in value.items()}
    return [_clean(each) for each in value] if isinstance(value, Sequence) else value
