"""What the benchmarks say of their figures: a goal that is missed is told, and never an error."""

import json

import pytest

from benchmarks.machine import remarks
from benchmarks.processes import Sample, Usage
from benchmarks.report import build_cells, render_json, render_plain
from benchmarks.row import Goal, Metric, Row, figures_of

MACHINE = {"cores": 2, "load": [0.1, 0.1, 0.1], "compiled": True, "uncompiled_modules": 0, "yaml_c_parser": True}


def sample(*cpu: float) -> Sample:
    return Sample([Usage(seconds, seconds * 2, 10_000_000) for seconds in cpu])


def test_figures_are_medians_and_bests_with_a_ratio_to_the_peer() -> None:
    figures = figures_of(sample(0.3, 0.1, 0.2), sample(0.1, 0.1, 0.9))
    assert figures[Metric.CPU_MEDIAN] == 0.2
    assert figures[Metric.CPU_BEST] == 0.1
    assert figures[Metric.WALL_BEST] == 0.2
    assert figures[Metric.PEAK] == 10.0
    assert figures[Metric.RATIO] == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("limits", "reached"), [((), None), ((1.0,), True), ((0.99,), False), ((2.0, 0.5), False)], ids=str
)
def test_a_row_is_reached_when_all_its_goals_are(limits: tuple[float, ...], reached: bool | None) -> None:
    goals = tuple(Goal(Metric.CPU_MEDIAN, limit) for limit in limits)
    assert Row("lint", 10, {Metric.CPU_MEDIAN: 1.0}, goals).reached is reached


@pytest.mark.parametrize(("limit", "reached"), [(0.84, True), (0.85, True), (0.86, False)])
def test_a_goal_may_be_a_least_figure(limit: float, reached: bool) -> None:
    row = Row("fix", 20, {Metric.SHARE: 17 / 20}, (Goal(Metric.SHARE, limit, at_least=True),))
    assert row.reached is reached
    assert row.to_json()["goals"] == [{"metric": "share", "at_least": limit, "reached": reached}]


def test_json_has_every_figure_and_which_goal_was_missed() -> None:
    row = Row("lint", 10, {Metric.CPU_MEDIAN: 1.0, Metric.PEAK: 44.0}, (Goal(Metric.CPU_MEDIAN, 0.5),))
    result = json.loads(render_json(MACHINE, [row], ["hook: no Git"]))
    assert result["machine"]["cores"] == 2
    assert result["failures"] == ["hook: no Git"]
    (found,) = result["rows"]
    assert found["cpu_median_s"] == 1.0
    assert found["ratio"] is None
    assert found["reached"] is False
    assert found["goals"] == [{"metric": "cpu_median_s", "at_most": 0.5, "reached": False}]


def test_the_table_says_what_was_not_reached_and_leaves_empty_columns_out() -> None:
    rows = [
        Row("cold", 10_000, {Metric.CPU_MEDIAN: 1.2}, (Goal(Metric.CPU_MEDIAN, 1.0),)),
        Row("warm", 10_000, {Metric.CPU_MEDIAN: 0.2}, (Goal(Metric.CPU_MEDIAN, 0.35),), "a word"),
        Row("other", None, {}),
    ]
    lines = render_plain(rows).splitlines()
    assert lines[1].split() == ["cold", "10,000", "1.200", "≤", "1", "s", "CPU", "NOT", "REACHED"]
    assert lines[2].endswith("reached      a word")
    assert "ratio" not in lines[0]
    assert build_cells(rows)[0][:3] == ["", "size", "CPU median s"]


def test_shares_and_counts_stand_in_columns_of_their_own() -> None:
    rows = [
        Row("wrong", 39, {Metric.COUNT: 0}, (Goal(Metric.COUNT, 0),)),
        Row("found", 40, {Metric.SHARE: 0.9}, (Goal(Metric.SHARE, 0.85, at_least=True),)),
        Row("asked", 1_271, {Metric.PER_100: 3.46, Metric.COUNT: 44}, (Goal(Metric.PER_100, 3),)),
    ]
    lines = [line.split() for line in render_plain(rows).splitlines()]
    assert lines[0] == ["size", "share", "count", "per", "100", "goal"]
    assert lines[1] == ["wrong", "39", "0", "≤", "0", "reached"]
    assert lines[2] == ["found", "40", "0.900", "≥", "0.85", "reached"]
    assert lines[3] == ["asked", "1,271", "44", "3.5", "≤", "3", "per", "100", "NOT", "REACHED"]


def test_what_makes_figures_worth_less_is_said() -> None:
    assert remarks(MACHINE) == []
    worse = {**MACHINE, "load": [5.0], "compiled": False, "uncompiled_modules": 3, "yaml_c_parser": False}
    said = " ".join(remarks(worse))
    assert "3 of recall's modules are not compiled" in said
    assert "--install" in said
    assert "busy" in said
    assert "C parser" in said
