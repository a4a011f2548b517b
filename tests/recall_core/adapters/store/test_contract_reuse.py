"""Vectors that a tenant has already are taken over, on every store (BEHAVIOURS I5)."""

import numpy as np
import pytest

TEXT = "# One\n\n" + "Zebra words here. " * 20 + "\n\n# Two\n\n" + "Giraffe talk there. " * 20 + "\n"
FILES = {"a.md": TEXT, "b.md": "Short.\n"}


def known(shelf, hashes, **options) -> dict[str, np.ndarray]:
    with shelf.begin(**options) as build:
        return dict(build.known_vectors(hashes))


def test_i5_the_vectors_of_unchanged_memos_are_known_by_their_content(shelf, rows):
    shelf.build(FILES, max_tokens=64)
    hashes = [rows.hash_content(text) for text in FILES.values()]
    found = known(shelf, [*hashes, rows.hash_content("Other.\n"), hashes[0]])
    assert set(found) == set(hashes)
    for path, text in FILES.items():
        row = rows.build_row(path, text, max_tokens=64)
        vectors = found[row.content_hash]
        assert vectors.dtype == np.float32
        np.testing.assert_array_equal(vectors, row.vectors)


def test_i5_generations_that_are_no_longer_served_or_not_yet_give_vectors_too(shelf, rows):
    shelf.serve({"a.md": "One.\n"})
    shelf.serve({"b.md": "Two.\n"})
    shelf.build({"c.md": "Three.\n"})
    hashes = [rows.hash_content(text) for text in ("One.\n", "Two.\n", "Three.\n")]
    assert set(known(shelf, hashes)) == set(hashes)


@pytest.mark.parametrize(
    "other",
    [{"embedder": "words@2"}, {"dimension": 32}, {"chunker": "markdown-2:256"}],
    ids=lambda each: next(iter(each)),
)
def test_i5_another_model_width_or_chunker_embeds_anew(shelf, rows, other):
    shelf.build(FILES)
    hashes = [rows.hash_content(text) for text in FILES.values()]
    assert known(shelf, hashes, pipeline=rows.build_pipeline(**other)) == {}
    assert set(known(shelf, hashes)) == set(hashes)


def test_i5_what_failed_was_retired_or_was_forgotten_gives_no_vectors(shelf, rows):
    with shelf.begin() as build:
        shelf.add(build, {"failed.md": "Failed.\n"})
        assert dict(build.known_vectors([rows.hash_content("Failed.\n")])) == {}
    shelf.retire(shelf.build({"retired.md": "Retired.\n"}))
    shelf.build({"forgotten.md": "Forgotten.\n", "kept.md": "Kept.\n"})
    shelf.forget("forgotten.md")
    hashes = {name: rows.hash_content(f"{name}.\n") for name in ("Failed", "Retired", "Forgotten", "Kept")}
    assert set(known(shelf, hashes.values())) == {hashes["Kept"]}


def test_refused_memos_have_no_vectors(shelf, rows):
    shelf.build({"bad.md": "Bad.\n"}, refused={"bad.md": "no"})
    assert known(shelf, [rows.hash_content("Bad.\n")]) == {}
