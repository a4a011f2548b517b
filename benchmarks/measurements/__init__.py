"""Every measurement, listed by hand."""

from benchmarks.measurements import (
    check,
    editor,
    graph,
    hook,
    index,
    installation,
    judge,
    lint,
    prose,
    reading,
    retrieval,
    stale,
    startup,
    store,
    thresholds,
)
from benchmarks.setting import Measurement

MEASUREMENTS: tuple[Measurement, ...] = (
    Measurement("startup", "processes that do next to nothing, beside `import click`", startup.measure),
    Measurement("lint", "`recall lint`, cold and warm, on generated corpora", lint.measure),
    Measurement("hook", "the hook when the index was found clean before", hook.measure),
    Measurement("check", "`recall check` of edited memos, and `recall fix`, on a corpus read before", check.measure),
    Measurement(
        "editor", "the language server on a corpus read before (needs the extra `lsp`)", editor.measure, usual=False
    ),
    Measurement("graph", "terminals of supersession graphs", graph.measure),
    Measurement("judge", "the judgment of a search's hits", judge.measure),
    Measurement(
        "index", "`recall index` into a store in memory (needs the extra `search`)", index.measure, usual=False
    ),
    Measurement("store", "a generation in PostgreSQL, built and searched (`--data`)", store.measure, usual=False),
    Measurement("retrieval", "what each leg of a search finds (needs `--data`)", retrieval.measure, usual=False),
    Measurement("reading", "the parts of reading one memo", reading.measure),
    Measurement("prose", "what prose tells of labelled edges (needs `--data`)", prose.measure, usual=False),
    Measurement(
        "thresholds",
        "what calibrated thresholds answer of public questions (needs `--data`)",
        thresholds.measure,
        usual=False,
    ),
    Measurement(
        "stale",
        "how often a replaced memo is the first answer (needs `--data`)",
        stale.measure,
        usual=False,
    ),
    Measurement(
        "installation",
        "size of the base install, from wheels alone (needs the index)",
        installation.measure,
        usual=False,
    ),
)
