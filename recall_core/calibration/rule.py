"""How a threshold may be asked for: the rules, and how they are written."""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from recall_core.errors import UsageError

_FORMS = "`midgap`, `conformal:ALPHA` or `bounded:ALPHA,DELTA`"


@dataclass(frozen=True, slots=True)
class Midgap:
    """The middle of the gap between the two classes. It promises nothing about wrong answers."""

    def __str__(self) -> str:
        return "midgap"


@dataclass(frozen=True, slots=True)
class Conformal:
    """At most a share `alpha` of unanswerable queries is answered, on average over all labelled sets."""

    alpha: Decimal

    def __post_init__(self) -> None:
        _check("alpha", self.alpha)

    def __str__(self) -> str:
        return f"conformal:{_render(self.alpha)}"


@dataclass(frozen=True, slots=True)
class Bounded:
    """At most a share `alpha` of unanswerable queries is answered, for all but a share `delta` of labelled sets."""

    alpha: Decimal
    delta: Decimal

    def __post_init__(self) -> None:
        _check("alpha", self.alpha)
        _check("delta", self.delta)

    def __str__(self) -> str:
        return f"bounded:{_render(self.alpha)},{_render(self.delta)}"


Rule = Midgap | Conformal | Bounded


def parse_rule(text: str) -> Rule:
    """The rule that `midgap`, `conformal:0.05` or `bounded:0.05,0.10` names; `str` writes it again.

    Shares are decimal numbers above 0 and below 1, at most six places long. Raises UsageError for anything else.
    """
    name, colon, written = text.strip().partition(":")
    shares = [_parse_share(each, text) for each in written.split(",")] if colon else []
    match name.strip().lower(), shares:
        case "midgap", []:
            return Midgap()
        case "conformal", [alpha]:
            return Conformal(alpha)
        case "bounded", [alpha, delta]:
            return Bounded(alpha, delta)
        case _:
            raise _unknown(text)


def _parse_share(written: str, text: str) -> Decimal:
    try:
        share = Decimal(written.strip())
        _check("a share", share)
    except (InvalidOperation, ValueError) as error:
        raise _unknown(text) from error
    return share


def _check(name: str, share: Decimal) -> None:
    if not (share.is_finite() and 0 < share < 1 and round(share, 6) == share):
        raise ValueError(f"{name} is above 0 and below 1, with at most six decimal places")


def _unknown(text: str) -> UsageError:
    return UsageError(
        f"there is no threshold rule {text!r}",
        help=f"write {_FORMS}, such as `bounded:0.05,0.10`; shares are above 0 and below 1",
    )


def _render(share: Decimal) -> str:
    return f"{share.normalize():f}"
