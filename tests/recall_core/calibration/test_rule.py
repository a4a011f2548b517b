"""How a rule is written."""

from decimal import Decimal

import pytest

from recall_core.calibration.rule import Bounded, Conformal, Midgap, parse_rule
from recall_core.errors import UsageError


@pytest.mark.parametrize(
    ("text", "rule", "written"),
    [
        ("midgap", Midgap(), "midgap"),
        (" MidGap ", Midgap(), "midgap"),
        ("conformal:0.05", Conformal(Decimal("0.05")), "conformal:0.05"),
        ("conformal:.10", Conformal(Decimal("0.1")), "conformal:0.1"),
        ("bounded:0.05, 0.10", Bounded(Decimal("0.05"), Decimal("0.1")), "bounded:0.05,0.1"),
        ("bounded:1e-4,0.5", Bounded(Decimal("0.0001"), Decimal("0.5")), "bounded:0.0001,0.5"),
    ],
)
def test_a_rule_is_read_and_written(text: str, rule: object, written: str) -> None:
    assert parse_rule(text) == rule
    assert str(parse_rule(text)) == written
    assert parse_rule(written) == rule


@pytest.mark.parametrize(
    "text",
    [
        "",
        "youden",
        "midgap:0.1",
        "conformal",
        "conformal:",
        "conformal:0",
        "conformal:1",
        "conformal:-0.1",
        "conformal:nan",
        "conformal:Infinity",
        "conformal:0.05,0.1",
        "conformal:0.0000001",
        "bounded:0.05",
        "bounded:0.05,0.1,0.2",
        "bounded:0.05,1",
        "bounded:five,0.1",
    ],
)
def test_anything_else_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_rule(text)
    assert "bounded:0.05,0.10" in caught.value.help
