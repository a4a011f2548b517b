import numpy as np
import pytest

from recall_core.adapters.embedders.rows import embed_texts, encodable, unit_rows
from recall_core.errors import EmbedderError


@pytest.mark.parametrize(
    "answer",
    [
        [[1.0, 2.0]],
        [[1.0, 2.0, 3.0]] * 3,
        [1.0, 2.0, 3.0],
        [],
        None,
        "text",
        [[1.0, 2.0, 3.0], [1.0, 2.0]],
        [["a", "b", "c"], ["d", "e", "f"]],
        [[1.0, 2.0, float("nan")], [1.0, 2.0, 3.0]],
        [[1.0, 2.0, float("inf")], [1.0, 2.0, 3.0]],
        [[1.0, 2.0, None], [1.0, 2.0, 3.0]],
        [[1, 2, 10**400], [1, 2, 3]],
    ],
    ids=["width", "count", "flat", "nothing", "null", "text", "ragged", "words", "nan", "infinite", "hole", "huge"],
)
def test_what_is_no_table_of_numbers_of_the_asked_shape_is_refused(answer: object) -> None:
    with pytest.raises(EmbedderError, match="a model answered"):
        unit_rows(answer, 2, 3, "a model")


def test_tiny_and_huge_numbers_become_unit_rows() -> None:
    rows = unit_rows([[1e300, 1e300], [3e-9, 4e-9], [0.0, 0.0], [1e-200, 0.0]], 4, 2, "a model")
    np.testing.assert_allclose(rows, [[0.5**0.5, 0.5**0.5], [0.6, 0.8], [0, 0], [0, 0]], atol=1e-6)
    assert rows.dtype == np.float32


def test_what_a_model_sees_can_be_encoded() -> None:
    seen: list[str] = []

    def encode(texts: list[str]) -> list[list[float]]:
        seen.extend(texts)
        return [[1.0, 0.0]] * len(texts)

    texts = ["", "a\ud800b", "\0", "x" * 20, "\U0001f680"]
    rows = embed_texts(encode, texts, prefix="query: ", limit=10, dimension=2, source="a model")
    assert seen == ["query: a\ufffdb", "query: " + "x" * 10, "query: \U0001f680"]
    assert rows.tolist() == [[0, 0], [1, 0], [0, 0], [1, 0], [1, 0]]


def test_a_model_is_not_asked_about_nothing() -> None:
    def encode(texts: list[str]) -> list[list[float]]:
        raise AssertionError(texts)

    assert embed_texts(encode, ["", " "], prefix="", limit=10, dimension=2, source="a model").tolist() == [[0, 0]] * 2


def test_text_that_is_cut_inside_nothing_stays_what_it_was() -> None:
    assert encodable("Grüße, 限制 🚀", 100) == "Grüße, 限制 🚀"
    assert encodable("\u200b\ufeff", 100) == ""
