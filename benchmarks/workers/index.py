"""Index a corpus into a store in memory: ROOT CACHE ROUNDS. Prints JSON: CPU seconds, children included, and counts.

Embedded by hashing, so that what is measured is reading, cutting, and asking Git; a real model takes far longer, and a
server stores what is built. `again` is the run in which nothing changed, in the same process.
"""

import json
import resource
import statistics
import sys
from datetime import UTC, datetime

from recall_core.adapters.corpus_view import view_corpus
from recall_core.adapters.embedders.hashing import HashingEmbedder
from recall_core.adapters.memory.store import MemoryStore
from recall_core.adapters.run_cache import open_run_cache
from recall_core.adapters.workspace import open_workspace
from recall_core.app.embed import describe_pipeline
from recall_core.app.index import IndexReport, IndexRequest, index

_NOW = datetime(2026, 6, 1, tzinfo=UTC)


def _cpu() -> float:
    spent = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in spent)


def main() -> None:
    root, cache = sys.argv[1:3]
    rounds = int(sys.argv[3])
    embedder = HashingEmbedder(512)
    pipeline = describe_pipeline(embedder, text_search="english", schema=1)
    store = MemoryStore()

    def run() -> tuple[IndexReport, float]:
        start = _cpu()
        workspace = open_workspace(root)
        view = view_corpus(workspace, open_run_cache(workspace, cache))
        report = index(view, store, embedder, pipeline, IndexRequest("default", "somebody"), now=_NOW)
        return report, _cpu() - start

    first, built = run()
    again = [run() for _ in range(rounds)]
    if not first.is_new or any(report.is_new for report, _ in again):
        raise SystemExit("a generation was built where nothing changed, or none where something did")
    spent = [seconds for _, seconds in again]
    figures = {"built": built, "chunks": first.generation.chunks, "refused": len(first.refused)}
    json.dump({**figures, "median": statistics.median(spent), "best": min(spent)}, sys.stdout)


main()
