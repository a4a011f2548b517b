"""Frozen values to JSON rows and back, for caches: a value is the list of its fields, without trailing defaults.

Values are dataclasses and named tuples. Decoding trusts its input (a cache is read only behind a checksum); what does
not fit raises CodecError.
"""

import dataclasses
import operator
import types
import typing
from collections.abc import Callable
from datetime import date
from enum import Enum
from typing import Any, TypeVar

T = TypeVar("T")

_Convert = Callable[[Any], Any]


class CodecError(ValueError):
    """A row is not one of this type."""


class Codec(typing.Generic[T]):
    """Both directions for one type, compiled once."""

    def __init__(self, type_: type[T]) -> None:
        self._encode, self._decode = _compile(type_)

    def encode(self, value: T) -> Any:
        """`value` as JSON."""
        return value if self._encode is None else self._encode(value)

    def decode(self, row: Any) -> T:
        """The value that `row` is; raises CodecError."""
        try:
            value: T = row if self._decode is None else self._decode(row)
        except (TypeError, ValueError, IndexError, KeyError, AttributeError) as error:
            raise CodecError(str(error)) from error
        return value


def _compile(type_: Any) -> tuple[_Convert | None, _Convert | None]:
    """The two conversions of a type; None where JSON has the value as it is."""
    origin, arguments = typing.get_origin(type_), typing.get_args(type_)
    if origin in (types.UnionType, typing.Union):
        return _compile_optional(arguments)
    if origin is tuple and arguments[-1:] == (Ellipsis,):
        return _compile_sequence(arguments[0])
    if origin is tuple:
        return _compile_fixed(arguments)
    if isinstance(type_, type) and issubclass(type_, Enum):
        members = {member.value: member for member in type_}
        return (lambda member: member.value), members.__getitem__
    if type_ is date:
        return date.isoformat, date.fromisoformat
    if isinstance(type_, type) and issubclass(type_, tuple):
        return _compile_named(type_)
    if dataclasses.is_dataclass(type_):
        return _compile_dataclass(type_)
    return None, None


def _compile_optional(arguments: tuple[Any, ...]) -> tuple[_Convert | None, _Convert | None]:
    (inner,) = (argument for argument in arguments if argument is not type(None))
    encode, decode = _compile(inner)
    return (
        None if encode is None else lambda value: None if value is None else encode(value),
        None if decode is None else lambda row: None if row is None else decode(row),
    )


def _compile_sequence(item: Any) -> tuple[_Convert, _Convert]:
    encode, decode = _compile(item)
    return (
        list if encode is None else lambda values: [encode(value) for value in values],
        tuple if decode is None else lambda rows: tuple([decode(row) for row in rows]),
    )


def _compile_fixed(items: tuple[Any, ...]) -> tuple[_Convert, _Convert]:
    codecs = [_compile(item) for item in items]
    encoders = [encode or _same for encode, _ in codecs]
    decoders = [decode or _same for _, decode in codecs]
    return (
        lambda values: [encode(value) for encode, value in zip(encoders, values, strict=True)],
        lambda rows: tuple([decode(row) for decode, row in zip(decoders, rows, strict=True)]),
    )


def _compile_named(type_: Any) -> tuple[_Convert, _Convert]:
    hints, names = typing.get_type_hints(type_), type_._fields
    codecs = [_compile(hints[name]) for name in names]
    if not type_._field_defaults and all(codec == (None, None) for codec in codecs):
        return list, lambda row: type_(*row)
    return _compile_fields(type_, codecs, [type_._field_defaults.get(name, _NO_DEFAULT) for name in names], list)


_NO_DEFAULT = object()


def _same(value: Any) -> Any:
    return value


def _compile_dataclass(type_: Any) -> tuple[_Convert, _Convert]:
    hints = typing.get_type_hints(type_)
    fields = dataclasses.fields(type_)
    # One call in C gives all fields; a single name would give the value itself, no tuple.
    get_all = operator.attrgetter(*(field.name for field in fields), "__class__")
    codecs = [_compile(hints[field.name]) for field in fields]
    return _compile_fields(type_, codecs, [field.default for field in fields], lambda value: list(get_all(value)[:-1]))


def _compile_fields(
    type_: Any,
    codecs: list[tuple[_Convert | None, _Convert | None]],
    defaults: list[Any],
    list_fields: Callable[[Any], list[Any]],
) -> tuple[_Convert, _Convert]:
    encoders = [(position, convert) for position, (convert, _) in enumerate(codecs) if convert is not None]
    decoders = [(position, convert) for position, (_, convert) in enumerate(codecs) if convert is not None]

    def encode(value: Any) -> list[Any]:
        row = list_fields(value)
        while row and row[-1] == defaults[len(row) - 1]:
            row.pop()
        length = len(row)
        for position, convert in encoders:
            if position >= length:
                break
            row[position] = convert(row[position])
        return row

    def decode(row: list[Any]) -> Any:
        values = list(row)
        length = len(values)
        for position, convert in decoders:
            if position >= length:
                break
            values[position] = convert(values[position])
        return type_(*values)

    return encode, decode
