"""Packed postings: bytes that say the same on every machine."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_core.retrieval.postings import MOST_COUNTED, build_postings, pack, unpack

HOLDERS = st.dictionaries(st.integers(0, 2**31 - 1), st.integers(1, 5000), max_size=60).map(
    lambda held: sorted(held.items())
)


def test_numbers_are_int32_in_network_order_and_counts_are_bytes() -> None:
    packed = pack(build_postings([1, 258, 70_000], [1, 2, 255]))
    assert packed.numbers == bytes([0, 0, 0, 1, 0, 0, 1, 2, 0, 1, 0x11, 0x70])
    assert packed.counts == bytes([1, 2, 255])


@given(HOLDERS)
def test_unpacking_gives_back_what_was_packed_but_for_very_high_counts(held: list[tuple[int, int]]) -> None:
    packed = pack(build_postings([number for number, _ in held], [count for _, count in held]))
    again = unpack(packed.numbers, packed.counts)
    assert again.numbers.tolist() == [number for number, _ in held]
    assert again.counts.tolist() == [min(count, MOST_COUNTED) for _, count in held]
    assert (again.numbers.dtype, again.counts.dtype) == (np.dtype(np.int32), np.dtype(np.uint8))
    assert again.numbers.dtype.isnative


@given(HOLDERS, st.sets(st.integers(0, 2**31 - 1), max_size=5), st.randoms(use_true_random=False))
def test_documents_are_taken_out_by_number(held: list[tuple[int, int]], others: set[int], rng) -> None:
    gone = others | set(rng.sample([number for number, _ in held], len(held) // 2))
    postings = build_postings([number for number, _ in held], [count for _, count in held])
    left = postings.without(np.array(list(gone), dtype=np.int32))
    assert left.numbers.tolist() == [number for number, _ in held if number not in gone]
    assert left.counts.tolist() == [min(count, MOST_COUNTED) for number, count in held if number not in gone]


@pytest.mark.parametrize(
    ("numbers", "counts", "why"),
    [
        pytest.param([1, 2], [1], "one count for each", id="lengths"),
        pytest.param([2, 1], [1, 1], "ascend", id="order"),
        pytest.param([2, 2], [1, 1], "ascend", id="twice"),
        pytest.param([-1], [1], "ascend", id="below zero"),
        pytest.param([2**31], [1], "ascend", id="too high"),
        pytest.param([3], [0], "at least once", id="never"),
    ],
)
def test_what_are_no_postings_is_refused(numbers: list[int], counts: list[int], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        build_postings(numbers, counts)


def test_columns_that_do_not_belong_together_are_refused() -> None:
    with pytest.raises(ValueError, match="8 bytes of document numbers do not belong to 3 counts"):
        unpack(bytes(8), bytes(3))
