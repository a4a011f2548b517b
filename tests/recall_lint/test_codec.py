import json
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.model.memo import Memo
from recall_lint.codec import Codec, CodecError
from recall_lint.diagnostic import Diagnostic
from recall_lint.reading import Reading


class Color(Enum):
    RED = "red"


class Place(NamedTuple):
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Inner:
    name: str
    color: Color | None = None


class Mark(NamedTuple):
    place: Place
    color: Color


@dataclass(frozen=True, slots=True)
class Outer:
    inner: Inner
    marks: tuple[Mark, ...] = ()
    places: tuple[Place, ...] = ()
    day: date | None = None
    pairs: tuple[tuple[Place, str], ...] = ()
    flag: bool = True


def test_defaults_at_the_end_are_left_out() -> None:
    assert Codec(Outer).encode(Outer(Inner("a"))) == [["a"]]


outers = st.builds(
    Outer,
    st.builds(Inner, st.text(), st.none() | st.just(Color.RED)),
    st.lists(st.builds(Mark, st.builds(Place, st.integers(), st.integers()), st.just(Color.RED)), max_size=2).map(
        tuple
    ),
    st.lists(st.builds(Place, st.integers(), st.integers()), max_size=3).map(tuple),
    st.none() | st.dates(),
    st.lists(st.tuples(st.builds(Place, st.integers(), st.integers()), st.text()), max_size=2).map(tuple),
    st.booleans(),
)


@given(outers)
def test_decoding_gives_back_what_was_encoded(value: Outer) -> None:
    codec = Codec(Outer)
    assert codec.decode(json.loads(json.dumps(codec.encode(value)))) == value


@pytest.mark.parametrize("type_", [Memo, Reading, Diagnostic])
@pytest.mark.parametrize(
    "row", [None, 3, "text", {"a": 1}, [], [[], [], [], [], [], [], [], [], [], [], [], [], [], []], [["a"], 3, 4]]
)
def test_what_is_no_row_is_refused_or_a_value(type_: type[object], row: object) -> None:
    try:
        value = Codec(type_).decode(row)
    except CodecError:
        return
    assert isinstance(value, type_)


def test_an_unknown_member_is_refused() -> None:
    with pytest.raises(CodecError):
        Codec(Inner).decode(["a", "blue"])
