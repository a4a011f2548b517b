"""Words as the store in memory compares them (BEHAVIOURS I1)."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from recall_core.adapters.memory.lexemes import list_lexemes
from recall_core.errors import UsageError

# What `to_tsvector` of PostgreSQL 18 gives with the configuration `english` in a database whose letters are those of UTF-8.
ENGLISH = {
    "The limits were limited.": ["limit", "limit"],
    "Deploying, DEPLOYED; deploys": ["deploy", "deploy", "deploy"],
    "it's what we don't do": [],
    "a state-of-the-art plan": ["state-of-the-art", "state", "art", "plan"],
    "snake_case_name": ["snake", "case", "name"],
    "version 1.2.3, 40 rows": ["version", "1.2.3", "40", "row"],
    "ADR-0012 of 2026-01-08": ["adr", "-0012", "2026", "-01", "-08"],
    "gen7 x2": ["gen7", "x2"],
    "Straße CAFÉ": ["straße", "café"],
    "see <b class='x'>bold</b>": ["see", "bold"],
    "?! ... -": [],
    "": [],
}


@pytest.mark.parametrize(("text", "expected"), ENGLISH.items(), ids=ENGLISH)
def test_english(text, expected):
    assert list_lexemes(text, "english") == expected


def test_simple_leaves_words_as_they_are():
    assert list_lexemes("The Limits", "simple") == ["the", "limits"]


def test_another_language_is_stemmed():
    assert list_lexemes("die Häuser", "german") == ["die", "haus"]


def test_a_configuration_that_nobody_knows_is_refused():
    with pytest.raises(UsageError, match="klingon"):
        list_lexemes("text", "klingon")


def test_threads_share_the_stemmer():
    words = [f"{stem}{number}ing running flies happily" for number in range(300) for stem in ("walk", "deny")]
    alone = [list_lexemes(word, "english") for word in words]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda word: list_lexemes(word, "english"), words)) == alone
