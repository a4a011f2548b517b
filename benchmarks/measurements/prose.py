"""What prose gives back of declared edges: precision and recall of `fix`, coverage and questions of `check`.

`--data` is a folder of labelled collections; their declarations are taken away in memory. The figures are shares, so
they stand in the notes, each with its interval and, for all collections together, its goal.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.labels import Labels, Pair, load_labels, render_share, share
from benchmarks.processes import MeasuringError
from benchmarks.row import Metric, Row
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
        yield Row(f"refused: {reason}", number, {})


def judge(labels: Labels, rows: Sequence[dict[str, Any]], memos: Sequence[dict[str, str]]) -> Iterator[Row]:
    """The figures over all collections, each with its goal in the note."""
    proofs, asked, shown = _kinds(rows)
    wrong = labels.find_wrong(proofs)
    true = proofs & labels.edges - labels.partial
    yield _row("fix: wrong proposals", len(proofs), render_share(len(true), len(true) + len(wrong)), not wrong, "none")
    for name, of, least in (
        ("fix: of the edges that the newer memo proves", labels.provable, 0.85),
        ("fix: of the edges that either memo proves", labels.plain, 0.85),
    ):
        yield _at_least(name, proofs, of, least)
    for name, found, of, least in (
        ("check: asked or shown, told in the newer", shown, labels.told_in_newer, 0.95),
        ("check: asked or shown, told in either", shown, labels.told, 0.90),
        ("check: asked, told in the newer", asked, labels.told_in_newer, 0.45),
        ("check: asked, told in either", asked, labels.told, 0.50),
    ):
        yield _at_least(name, found, of, least)
    read = len(memos)
    held = shown - asked
    for name, number, of_number, most in (
        ("check: questions to 100 memos", len(asked), read, 0.06),
        ("check: held back to 100 memos", len(held), read, 0.40),
        ("check: negatives asked", len(asked & labels.unaskable), len(labels.unaskable), 0.02),
        ("check: memos that replace nothing, asked", *_idle(labels, rows, memos), 0.01),
    ):
        reached = number <= most * of_number
        yield _row(name, of_number, render_share(number, of_number), reached, f"≤ {most:g}")
    like = {_pair(row) for row in rows if row["kind"] == "resembles"} - shown
    note = f"declared edges that nothing tells, found by likeness: {share(like, labels.edges - labels.told)}"
    yield Row("check: merely resembling", len(like), {}, note=note)


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


def _at_least(name: str, found: set[Pair], of: frozenset[Pair], least: float) -> Row:
    return _row(name, len(of), share(found, of), len(found & of) >= least * len(of), f"≥ {least:g}")


def _row(name: str, size: int, figure: str, reached: bool, goal: str) -> Row:
    return Row(name, size, {}, note=f"{figure}; goal {goal}: {'reached' if reached else 'NOT REACHED'}")
