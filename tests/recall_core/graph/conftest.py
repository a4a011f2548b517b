"""Corpora from a few lines of text."""

from collections.abc import Callable, Mapping

import pytest

from recall_core.frontmatter.read import read_memo
from recall_core.graph.corpus import Corpus


def _build(files: Mapping[str, str]) -> Corpus:
    """A corpus of memos by path. A text that begins with a key gets its fences; `""` is a memo without a block."""
    texts = {
        path: text if text.startswith("---") or not text else f"---\n{text}\n---\n" for path, text in files.items()
    }
    return Corpus(read_memo(path, texts[path].encode()) for path in sorted(texts))


@pytest.fixture(scope="session")
def corpus_of() -> Callable[[Mapping[str, str]], Corpus]:
    return _build
