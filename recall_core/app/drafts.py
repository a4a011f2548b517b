"""What a memo gives to ask about: its title, its headings and the questions that it puts itself."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from math import log

from recall_core.generation.outline import PieceKind, read_outline
from recall_core.model.escape import visible

_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_MARKUP = re.compile(r"</?[A-Za-z][^>\n]*>|[`*]|\[\[|\]\]")
_NUMBER = re.compile(r"\A(?:[0-9]+(?:\.[0-9]+)*[.):]?|[ivx]+[.)]|[A-Za-z][.)])\s+")
_QUESTION = re.compile(
    r"(?<![^\s(>*-])(?:Are|Can|Could|Did|Do|Does|How|Is|Must|Should|What|When|Where|Which|Who|Why|Will|Would)\s"
    r"[^.?!:;|<>{}]{14,160}\?(?=\s|\Z)"
)
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_POINTING_WORDS = """
    this that these those it its they them their he she his her such above below here there former latter same
"""
# A question that points to the text around it cannot be asked without that text.
_POINTING = frozenset(_POINTING_WORDS.split())
_COMMON_WORDS = """
    a an and are as at be by can could do does for from had has have how if in into is may might must no not of on or
    our shall should so than the then to up us use used using was we were what when where which who whose why will with
    would you your about any all one
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_LONGEST = 160
_FEWEST_WORDS = 2
_WORDS_THAT_TELL = 3
"""A heading of so many words is asked about by itself, a shorter one together with its memo's title."""
_FEWEST_WORDS_OF_QUESTION = 4
_OFTEN = 3
"""A heading that so many memos have belongs to their template."""


class Origin(Enum):
    """Where the words of a draft come from."""

    QUESTION = "a question in"
    HEADING = "a heading of"
    TITLE = "the title of"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that the memo at `path` answers, made from its own words."""

    query: str
    path: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Source:
    """A memo to ask about: its path, its title, its text, and where the body begins in it."""

    path: str
    title: str
    text: str
    body: int


class Words:
    """In how many memos each word stands."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._memos = len(sources)
        self._counts = Counter(word for source in sources for word in set(list_words(f"{source.title}\n{source.text}")))

    def weigh(self, text: str) -> float:
        """The inverse document frequencies of the different words of a text, summed: how well it tells memos apart."""
        return sum(log((self._memos + 1) / (self._counts[word] + 0.5)) for word in set(list_words(text)))

    def knows(self, word: str) -> bool:
        """Whether any memo holds the word."""
        return word in self._counts


def list_words(text: str) -> list[str]:
    """The words of a text that mean something, in lower case."""
    return [word for word in map(str.lower, _WORD.findall(text)) if word not in _COMMON and len(word) > 1]


def ask_all(sources: Sequence[Source], words: Words) -> Mapping[str, Mapping[Origin, list[Asked]]]:
    """By path and origin what can be asked of each memo, first what tells the memo best from the others."""
    read = {source.path: _read(source) for source in sources}
    shared = Counter(heading.lower() for headings, _ in read.values() for heading in set(headings))
    return {source.path: _ask(source, *read[source.path], shared=shared, words=words) for source in sources}


def _ask(
    source: Source, headings: Sequence[str], questions: Sequence[str], *, shared: Mapping[str, int], words: Words
) -> Mapping[Origin, list[Asked]]:
    title = _clean(source.title)
    found: dict[Origin, dict[str, float]] = {origin: {} for origin in Origin}
    for question in questions:
        found[Origin.QUESTION][question] = words.weigh(question)
    for heading in headings:
        if heading.endswith("?"):
            if _stands_alone(heading):
                found[Origin.QUESTION][heading] = words.weigh(heading)
        elif shared[heading.lower()] < _OFTEN and "|" not in heading and _is_named(title):
            own = set(list_words(heading))
            if len(own) >= _FEWEST_WORDS and not own <= set(list_words(title)):
                told = heading if len(own) >= _WORDS_THAT_TELL else f"{heading} in {title}"
                found[Origin.HEADING][f"What do we say about {told}?"] = words.weigh(heading)
    if _is_named(title):
        found[Origin.TITLE][title if title.endswith("?") else f"What do we say about {title}?"] = 0.0
    return {
        origin: [
            Asked(query, source.path, origin)
            for query in sorted(weights, key=lambda query: (-weights[query], query))
            if _is_fit(query)
        ]
        for origin, weights in found.items()
    }


def _read(source: Source) -> tuple[list[str], list[str]]:
    """The headings under the title, and the questions in the prose."""
    headings: list[str] = []
    questions: list[str] = []
    for piece in read_outline(source.text, source.body):
        if piece.kind is PieceKind.HEADING and piece.level > 1:
            headings.append(_clean(piece.title))
        elif piece.kind is PieceKind.PROSE:
            prose = " ".join(_LINK.sub(r"\1", source.text[piece.start : piece.end]).split())
            questions += filter(_stands_alone, (_clean(match[0]) for match in _QUESTION.finditer(prose)))
    return headings, questions


def _stands_alone(question: str) -> bool:
    """Whether a question can be understood by somebody who does not read what is around it."""
    every = {word.lower() for word in _WORD.findall(question)}
    return not every & _POINTING and len(set(list_words(question))) >= _FEWEST_WORDS_OF_QUESTION


def _is_named(title: str) -> bool:
    return bool(list_words(title))


def _clean(written: str) -> str:
    """A title or a sentence without markup and numbering, on one line."""
    words = " ".join(_MARKUP.sub("", _LINK.sub(r"\1", written)).split())
    return unicodedata.normalize("NFC", _NUMBER.sub("", words)).strip(" .:—-")


def _is_fit(query: str) -> bool:
    """Whether it can be shown to a person and asked as it is."""
    return len(query) <= _LONGEST and visible(query) == query
