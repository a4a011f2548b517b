"""What some models want in front of a text: they were trained with other words for queries than for documents."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Prefixes:
    """In front of every query, in front of every document."""

    query: str = ""
    document: str = ""

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self.query or self.document)


_SEARCHING = Prefixes("Represent this sentence for searching relevant passages: ")
_E5 = Prefixes("query: ", "passage: ")

PREFIXES: Final = {
    "bge-base": _SEARCHING,
    "bge-large": _SEARCHING,
    "bge-small": _SEARCHING,
    "bge-base-zh": Prefixes("为这个句子生成表示以用于检索相关文章\uff1a"),
    "bge-large-zh": Prefixes("为这个句子生成表示以用于检索相关文章\uff1a"),
    "bge-small-zh": Prefixes("为这个句子生成表示以用于检索相关文章\uff1a"),
    "e5-base": _E5,
    "e5-large": _E5,
    "e5-small": _E5,
    "embeddinggemma": Prefixes("task: search result | query: ", "title: none | text: "),
    "multilingual-e5": _E5,
    "multilingual-e5-large-instruct": Prefixes(
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "
    ),
    "mxbai-embed-large": _SEARCHING,
    "nomic-embed-text": Prefixes("search_query: ", "search_document: "),
    "snowflake-arctic-embed": _SEARCHING,
    "snowflake-arctic-embed2": Prefixes("query: "),
    "snowflake-arctic-embed-l-v2": Prefixes("query: "),
    "snowflake-arctic-embed-m-v2": Prefixes("query: "),
}
"""By how the name of a model begins, its publisher left out; the longest that fits counts. From the models' cards."""


def prefixes_of(model: str) -> Prefixes:
    """What `model` wants, such as `intfloat/e5-small-v2`; nothing where the table does not know it."""
    name = model.rpartition("/")[2].lower()
    fitting = [beginning for beginning in PREFIXES if name.startswith(beginning)]
    return PREFIXES[max(fitting, key=len)] if fitting else Prefixes()


def identify(kind: str, model: str, revision: str, prefixes: Prefixes) -> str:
    """The id of an embedder. Rows made with prefixes are not those made without."""
    return f"{kind}:{model}@{revision}{'+prefixes' if prefixes else ''}"
