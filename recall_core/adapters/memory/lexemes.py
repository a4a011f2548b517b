"""What a text is searched by: its words, lower-cased, stemmed and without stop words, much as PostgreSQL sees them.

Both stem by Snowball, whose versions differ in a few words; of web addresses and file paths a server makes more.
"""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final

import snowballstemmer  # type: ignore[import-untyped]

from recall_core.errors import UsageError
from recall_core.retrieval.words import fold

# PostgreSQL's own list for English, and its contractions cut at the apostrophe as its parser cuts them.
_ENGLISH: Final = """
    i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it
    its itself they them their theirs themselves what which who whom this that these those am is are was were be been
    being have has had having do does did doing a an the and but if or because as until while of at by for with about
    against between into through during before after above below to from up down in out on off over under again further
    then once here there when where why how all any both each few more most other some such no nor not only own same so
    than too very s t can will just don should now
"""
_STOP_WORDS: Final = frozenset(_ENGLISH.split())
_MOST_STEMS: Final = 65_536
# A number with its sign and points, or words of letters and digits that hyphens may join; an underscore parts words.
_TOKEN: Final = re.compile(r"-?\d+(?:\.\d+)*\b|[^\W_]+(?:-[^\W\d_][^\W_]*)*")
# What PostgreSQL's parser tells apart and its dictionaries drop: tags, and the protocol of a web address.
_DROPPED: Final = re.compile(r"<[/!?]?[a-z][^<>]*>|\b[a-z]+://")


def list_lexemes(text: str, configuration: str) -> list[str]:
    """The lexemes of a text, in order, each as often as it stands there. What hyphens join counts whole and in parts.

    `configuration` is the name of a text-search configuration: `english`, another language that Snowball has a stemmer
    for (then without stop words), or `simple`, which leaves words as they are. Raises UsageError for any other.
    """
    stem = _find_stemmer(configuration)
    stop_words = _STOP_WORDS if configuration == "english" else frozenset[str]()
    lexemes: list[str] = []
    for token in _TOKEN.findall(_DROPPED.sub(" ", fold(text).lower())):
        words = [token, *token.split("-")] if "-" in token[1:] else [token]
        lexemes.extend(stem(word) for word in words if word not in stop_words)
    return lexemes


@cache
def _find_stemmer(configuration: str) -> Callable[[str], str]:
    if configuration == "simple":
        return str
    if configuration not in snowballstemmer.algorithms():
        raise UsageError(
            f"there is no text-search configuration {configuration!r}", help="`english` and `simple` are always there"
        )
    # A stemmer keeps the word that it is at, so that each call has one of its own: threads share this function.
    return lru_cache(_MOST_STEMS)(lambda word: str(snowballstemmer.stemmer(configuration).stemWord(word)))
