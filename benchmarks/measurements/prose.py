"""What prose gives back of declared edges: precision and recall of `fix`, coverage and questions of `check`.

`--data` is a folder of labelled collections; their declarations are taken away in memory. Goals are held against all
collections together. Notes show each share as a fraction with its 95 % Wilson interval.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.labels import Labels, Pair, load_labels, render_share, share
from benchmarks.processes import MeasuringError
from benchmarks.row import Goal, Metric, Row
from benchmarks.setting import Setting, say


def measure(setting: Setting) -> Iterator[Row]:
    """All collections together, each alone, and the refusals by reason. Needs `--data`."""
    if setting.data is None:
        raise MeasuringError("name the folder of labelled collections: `--data DIR`")
    try:
        labels = load_labels(setting.data)
    except (OSError, ValueError, KeyError) as error:
        raise MeasuringError(f"no labelled collections in {setting.data}: {error}") from error
    say("reading labelled collections")
    answer = setting.environment.worker("prose", setting.data)
    rows, memos = answer["predictions"], answer["memos"]
    each = {Metric.EACH: answer["cpu"] / max(1, len(memos)) * 1e6}
    yield Row("prose: read", len(memos), each, note="parse, find candidates, and what resembles")
    yield from judge(labels, rows, memos)
    for collection in sorted({row["collection"] for row in memos}):
        own = [row for row in rows if row["collection"] == collection]
        read = [row for row in memos if row["collection"] == collection]
        yield _summarise(collection, labels.of(collection), own, read)
    for reason, number in Counter(row["reason"] for row in rows if row["reason"]).most_common():
        yield Row(f"refused: {reason}", None, {Metric.COUNT: number})


def judge(labels: Labels, rows: Sequence[dict[str, Any]], memos: Sequence[dict[str, str]]) -> Iterator[Row]:
    """The figures over all collections, each with its goal."""
    proofs, asked, shown = _kinds(rows)
    wrong = labels.find_wrong(proofs)
    true = proofs & labels.edges - labels.partial
    yield Row("fix: wrong proposals", len(proofs), {Metric.COUNT: len(wrong)}, (Goal(Metric.COUNT, 0),))
    yield _share("fix: proposals that are right", len(true), len(true) + len(wrong))
    for name, found, of, least in (
        ("fix: of the edges that the newer memo proves", proofs, labels.provable, 0.85),
        ("fix: of the edges that either memo proves", proofs, labels.plain, 0.85),
        ("check: asked or shown, told in the newer", shown, labels.told_in_newer, 0.95),
        ("check: asked or shown, told in either", shown, labels.told, 0.90),
        ("check: asked, told in the newer", asked, labels.told_in_newer, 0.45),
        ("check: asked, told in either", asked, labels.told, 0.50),
    ):
        yield _share(name, len(found & of), len(of), Goal(Metric.SHARE, least, at_least=True))
    for name, number, most in (
        ("check: questions", len(asked), 6),
        ("check: held back", len(shown - asked), 40),
    ):
        figures = {Metric.PER_100: 100 * number / max(1, len(memos)), Metric.COUNT: number}
        yield Row(name, len(memos), figures, (Goal(Metric.PER_100, most),))
    negatives = len(asked & labels.unaskable), len(labels.unaskable)
    yield _share("check: negatives asked", *negatives, Goal(Metric.SHARE, 0.02))
    yield _share("check: memos that replace nothing, asked", *_idle(labels, rows, memos), Goal(Metric.SHARE, 0.01))
    like = {_pair(row) for row in rows if row["kind"] == "resembles"} - shown
    untold = labels.edges - labels.told
    yield Row("check: merely resembling", len(memos), {Metric.COUNT: len(like)})
    yield _share("check: declared edges that nothing tells, found by likeness", len(like & untold), len(untold))


def _idle(labels: Labels, rows: Sequence[dict[str, Any]], memos: Sequence[dict[str, str]]) -> tuple[int, int]:
    idle = {(row["collection"], row["memo"]) for row in memos} - labels.busy
    asked = {(row["collection"], row["memo"]) for row in rows if row["kind"] == "question"}
    return len(asked & idle), len(idle)


def _summarise(name: str, labels: Labels, rows: Sequence[dict[str, Any]], memos: Sequence[dict[str, str]]) -> Row:
    proofs, asked, shown = _kinds(rows)
    note = (
        f"fix {share(proofs, labels.plain)}, wrong {len(labels.find_wrong(proofs))}; "
        f"asked {share(asked, labels.told)}; shown {share(shown, labels.told)}; "
        f"{len(asked)} questions, {len(shown - asked)} held back, {len(asked & labels.unaskable)} negatives asked"
    )
    return Row(f"prose: {name}", len(memos), {}, note=note)


def _kinds(rows: Sequence[dict[str, Any]]) -> tuple[set[Pair], set[Pair], set[Pair]]:
    """The pairs proven, those asked about, and those asked about or held back."""
    proofs = {_pair(row) for row in rows if row["proof"]}
    asked = {_pair(row) for row in rows if row["kind"] == "question"}
    return proofs, asked, {_pair(row) for row in rows if row["kind"] != "resembles"}


def _pair(row: dict[str, Any]) -> Pair:
    return row["collection"], row["newer"], row["older"]


def _share(name: str, part: int, whole: int, goal: Goal | None = None) -> Row:
    """A part of `whole`, which is the row's size; without figure and goal where there is nothing to have a part of."""
    if not whole:
        return Row(name, 0, {}, note="there is none")
    return Row(name, whole, {Metric.SHARE: part / whole}, (goal,) if goal else (), render_share(part, whole))
