"""Frozen values of this package to plain JSON values and back, by the types of their fields.

A dataclass is an object with one key for each field, a tuple an array, an enum its value, an instant its UTC time in
ISO 8601, a rule the text that names it. A number that is none (NaN) is null, since JSON has no word for it.
"""

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

from recall_core.calibration.rule import Bounded, Conformal, Midgap, Rule, parse_rule
from recall_core.generation.digest import Plain


def encode(value: object) -> Plain:
    """The plain value. Raises ValueError for an instant without a time zone, and TypeError for what has no form."""
    match value:
        case Enum():
            return encode(value.value)
        case Midgap() | Conformal() | Bounded():
            return str(value)
        case float() if math.isnan(value):
            return None
        case None | bool() | int() | float() | str():
            return value
        case datetime():
            return render_instant(value)
        case tuple():
            return [encode(item) for item in value]
        case _ if is_dataclass(value):
            return {field.name: encode(getattr(value, field.name)) for field in fields(value)}
        case _:
            raise TypeError(f"{type(value).__name__} has no form in JSON")


def decode(kind: Any, value: object, place: str = "it") -> Any:
    """The value of the type `kind` that a plain value stands for.

    Raises ValueError, naming the place, where the value is not of that type, lacks a field or has another one.
    """
    if kind == Rule:
        return parse_rule(_expect(str, value, place))
    if get_origin(kind) is UnionType:
        return _decode_union(kind, value, place)
    if get_origin(kind) is tuple:
        inner = get_args(kind)[0]
        return tuple(
            decode(inner, each, f"{place}[{number}]") for number, each in enumerate(_expect(list, value, place))
        )
    if kind is float:
        return _decode_number(value, place)
    if kind is datetime:
        return parse_instant(_expect(str, value, place), place)
    if is_dataclass(kind):
        return _decode_fields(kind, value, place)
    if issubclass(kind, Enum):
        return kind(value)
    return _expect(kind, value, place)


def render_instant(instant: datetime) -> str:
    """`2026-03-01T12:00:00.000000Z`: UTC, to the microsecond. Raises ValueError for an instant without a time zone."""
    if instant.tzinfo is None:
        raise ValueError("an instant has a time zone")
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def parse_instant(text: str, place: str) -> datetime:
    """What `render_instant` wrote. Raises ValueError."""
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    except ValueError as error:
        raise ValueError(f"{place} is no instant") from error


def _decode_union(kind: Any, value: object, place: str) -> Any:
    (inner,) = (each for each in get_args(kind) if each is not NoneType)
    return None if value is None else decode(inner, value, place)


def _decode_number(value: object, place: str) -> float:
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{place} is no number")
    return float(value)


def _decode_fields(kind: Any, value: object, place: str) -> Any:
    written = _expect(dict, value, place)
    hints = get_type_hints(kind)
    names = [field.name for field in fields(kind)]
    for name in names:
        if name not in written:
            raise ValueError(f"{place} lacks `{name}`")
    if unknown := sorted(set(written) - set(names)):
        raise ValueError(f"{place} has an unknown field `{unknown[0]}`")
    return kind(**{name: decode(hints[name], written[name], f"{place}.{name}") for name in names})


def _expect(kind: Any, value: object, place: str) -> Any:
    if not isinstance(value, Mapping if kind is dict else kind) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"{place} is no {_NAMES.get(kind, kind.__name__)}")
    return value


_NAMES = {dict: "object", list: "array", str: "text", int: "number", bool: "`true` or `false`"}
