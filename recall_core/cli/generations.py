"""Generations as people and programs read them."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from recall_core.adapters.encode import dumps, text
from recall_core.model.escape import visible
from recall_core.ports.store import Generation


def render_list(generations: Iterable[Generation]) -> Iterator[str]:
    """One generation a line, the newest first."""
    found = list(generations)
    width = max((len(each.id) for each in found), default=0)
    for each in found:
        refused = f"  {len(each.refused)} refused" if each.refused else ""
        counts = f"{each.memos:>7} memos {each.chunks:>8} chunks"
        yield f"{each.state.value:<10} {visible(each.id):<{width}}  {_minute(each.created_at)} {counts}{refused}\n"
    if not found:
        yield "no generation yet: `recall index` builds one\n"


def render_one(generation: Generation) -> Iterator[str]:
    """All that is known of one generation, a line for each thing."""
    for name, value in generation_object(generation).items():
        if name == "pipeline" and isinstance(value, dict):
            yield from (f"{key}: {visible(str(each))}\n" for key, each in value.items())
        elif isinstance(value, list):
            yield f"{name}: {', '.join(visible(str(each)) for each in value) or '-'}\n"
        else:
            yield f"{name}: {'-' if value is None else visible(str(value))}\n"


def render_list_json(tenant: str, generations: Iterable[Generation]) -> Iterator[str]:
    """One object, the generations newest first; its schema is `recall_lint/schema/generation.schema.json`."""
    yield (
        dumps({"version": 1, "tenant_id": tenant, "generations": [generation_object(each) for each in generations]})
        + "\n"
    )


def generation_object(generation: Generation) -> dict[str, object]:
    """A generation by name."""
    return {
        "id": generation.id,
        "state": generation.state.value,
        "root": text(generation.root),
        "revision": text(generation.revision),
        "memos": generation.memos,
        "chunks": generation.chunks,
        "refused": [text(path) for path in generation.refused],
        "created_at": instant(generation.created_at),
        "promoted_at": instant(generation.promoted_at) if generation.promoted_at is not None else None,
        "pipeline_fingerprint": generation.pipeline.fingerprint,
        "manifest_fingerprint": generation.manifest_fingerprint,
        "corpus_fingerprint": generation.corpus_fingerprint,
        "pipeline": generation.pipeline.to_json(),
    }


def instant(value: datetime) -> str:
    """An instant in JSON: RFC 3339, UTC, whole seconds."""
    return value.strftime("%Y-%m-%dT%H:%M:%SZ")


def _minute(value: datetime) -> str:
    return value.strftime("%Y-%m-%d %H:%M")
