"""Draft labelled queries from a corpus: a person accepts, edits or drops each, and nothing is used before."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from recall_core.app.corpus import ReadMemo, read_memos
from recall_core.app.drafts import Asked, Origin, Source, Words, ask_all, list_words
from recall_core.app.far_questions import FAR_QUESTIONS
from recall_core.calibration.queryset import Kind, LabelledQuery
from recall_core.errors import UsageError
from recall_core.frontmatter.fence import find_fence
from recall_core.generation.stored import StoredMemo, resolve_memos
from recall_core.ports.view import CorpusView

DEFAULT_DRAFTS = 50
"""Of either class: with 45 unanswerable ones all refused, 5 % of false answers is proven at 90 %."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry that nobody has accepted yet, and in words where it comes from."""

    entry: LabelledQuery
    origin: str


def suggest(view: CorpusView, drafts: int = DEFAULT_DRAFTS) -> list[Draft]:
    """Up to `drafts` answerable queries, and as many unanswerable ones, the same for the same corpus.

    Answerable ones are made of titles, headings and questions in the text of memos that nothing replaces. Half of the
    unanswerable ones are such questions too, with every memo that answers named in `relevant_ids`: it is withheld when
    they are measured. The other half is of other topics. Raises UsageError for a corpus that gives nothing to ask.
    """
    read = [memo for memo in read_memos(view) if memo.refused is None]
    stored = resolve_memos((memo.memo, memo.content_hash, None) for memo in read)
    sources = [_describe(memo) for memo in read]
    words = Words(sources)
    current = {each.memo.path for each in stored if not each.successors and not each.ambiguous}
    asked = _deal(ask_all([source for source in sources if source.path in current], words))
    every = list(asked)
    if not every:
        raise UsageError(
            "the corpus has no title, heading or question to ask about", help="write labelled queries by hand"
        )
    near = min(drafts // 2, len(every) // 3)
    answerable = every[: min(drafts, len(every) - near)]
    withheld = every[len(answerable) : len(answerable) + near]
    families = _list_families(stored)
    return [
        *(Draft(LabelledQuery(each.query, True, (each.path,)), _tell(each)) for each in answerable),
        *(
            Draft(LabelledQuery(each.query, False, families[each.path], Kind.MID), f"{_tell(each)}, which is withheld")
            for each in withheld
        ),
        *(
            Draft(LabelledQuery(query, False, (), Kind.FAR), "another topic")
            for query in _choose_far(words, drafts - len(withheld))
        ),
    ]


def render_drafts(drafts: Sequence[Draft]) -> str:
    """The drafts as a JSON array to edit: only entries whose `accepted` is set to true will be used."""
    rows = [{**draft.entry.to_json(), "accepted": None, "origin": draft.origin} for draft in drafts]
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"


def _describe(read: ReadMemo) -> Source:
    return Source(read.memo.path, read.memo.title or read.memo.key, read.text, find_fence(read.text).body)


def _deal(asked: Mapping[str, Mapping[Origin, list[Asked]]]) -> Iterator[Asked]:
    """Every question once, by turns of the memos; each memo begins with another origin than the one before it."""
    origins = list(Origin)
    rows: list[list[Asked]] = []
    for place, path in enumerate(sorted(asked, key=_scatter)):
        turned = [asked[path][origins[(place + step) % len(origins)]] for step in range(len(origins))]
        rows.append([found[turn] for turn in range(max(map(len, turned))) for found in turned if turn < len(found)])
    seen: set[str] = set()
    for turn in range(max(map(len, rows), default=0)):
        for row in rows:
            if turn < len(row) and row[turn].query not in seen:
                seen.add(row[turn].query)
                yield row[turn]


def _scatter(path: str) -> str:
    """An order of paths that has nothing to do with what they are called."""
    return hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()


def _list_families(stored: Sequence[StoredMemo]) -> Mapping[str, tuple[str, ...]]:
    """By path the memos that answer what it answers: itself, its copies, and what it replaced."""
    found = {each.memo.path: {each.memo.path} for each in stored}
    copies: dict[str, list[str]] = {}
    for each in stored:
        copies.setdefault(each.content_hash, []).append(each.memo.path)
        for successor in each.successors:
            found[successor.path].add(each.memo.path)
    for paths in copies.values():
        for path in paths:
            found[path].update(paths)
    return {path: tuple(sorted(family)) for path, family in found.items()}


def _choose_far(words: Words, wanted: int) -> list[str]:
    """Questions of common knowledge, those first that share the fewest words with the corpus; none that it may hold."""
    known = {
        query: sum(map(words.knows, found)) / len(found)
        for query in FAR_QUESTIONS
        for found in [set(list_words(query))]
    }
    usable = [query for query in FAR_QUESTIONS if known[query] < 1]
    return sorted(usable, key=lambda query: known[query])[:wanted]


def _tell(asked: Asked) -> str:
    return f"{asked.origin.value} {asked.path}"
