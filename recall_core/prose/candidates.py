"""Everything that one body says about replacement, as candidates with their evidence and what holds them back."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from functools import cache

from recall_core.frontmatter.lines import LineTable
from recall_core.model.memo import Memo
from recall_core.prose import words
from recall_core.prose.blocks import read_blocks
from recall_core.prose.candidate import Candidate, Evidence, Refusal
from recall_core.prose.claim import DECISIVE, Claim
from recall_core.prose.claims import read_augmenting, read_claims
from recall_core.prose.layout import Block, BlockKind, Layout, level_line_ends
from recall_core.prose.markers import Family, Mark, find_marks, lower_in_place
from recall_core.prose.mask import mask_block
from recall_core.prose.names import Names
from recall_core.prose.reduce import OTHER, SELF, Mentioned, Reader, Reduced, find_quotes, reduce_sentence
from recall_core.prose.sentences import is_question, split_block
from recall_core.prose.subject import Context
from recall_core.prose.voice import LABELS, is_callout, own_voice_ends

MAX_TEXT = 400
"""Characters of a sentence that evidence keeps."""

MAX_SENTENCE = 1500
"""A longer sentence is a list or a table that lost its stops: each closure word is read alone, and proves nothing."""

MAX_MARKS = 200
"""Closure words read in such a sentence."""

FAMILIES = tuple(family for family in Family if family is not Family.IS_NOW)


def find_candidates(
    memo: Memo, body: str, first_line: int, names: Names, *, is_index: bool = False
) -> tuple[Candidate, ...]:
    """What a body says, of its own memo and of others, in order of place.

    `body` is the text behind the metadata block from the start of a line, `first_line` that line's number in the file.
    `is_index` tells a page that catalogues others: everything in it is held back. Never raises; linear in the text.
    """
    flat = level_line_ends(body)
    lowered = lower_in_place(flat)
    marks = find_marks(lowered, FAMILIES)
    starts = [mark.start for mark in marks]
    augments = [match.start() for match in _augmenting_word().finditer(lowered)]
    if not marks and not augments:
        return ()
    layout = read_blocks(flat)
    reader = _BodyReader(memo, flat, layout, names, first_line, is_index=is_index, voiced=own_voice_ends(flat))
    for block in layout.blocks:
        here = bisect_left(starts, block.start) < bisect_left(starts, block.end)
        also = bisect_left(augments, block.start) < bisect_left(augments, block.end)
        if here or also:
            reader.read(block)
        else:
            reader.pass_by(block)
    return _settle(reader.found)


class _BodyReader:
    """The pass over the blocks of one body, with what is known at each of them."""

    def __init__(
        self, memo: Memo, text: str, layout: Layout, names: Names, first_line: int, *, is_index: bool, voiced: int
    ) -> None:
        self.memo, self.text, self.layout, self.names = memo, text, layout, names
        self.first_line, self.is_index, self.voiced = first_line, is_index, voiced
        self.found: list[Candidate] = []
        self.headings = 0
        self.is_preamble = True
        self.heading = ""
        self.heading_block: Block | None = None
        self.before: Block | None = None
        self.in_callout = False
        self._reader: Reader | None = None
        self._lines: LineTable | None = None
        self._named: tuple[Block, tuple[Mentioned, ...]] | None = None

    def pass_by(self, block: Block) -> None:
        """Take note of a block without closure words."""
        self._note(block)
        self.before = block

    def read(self, block: Block) -> None:
        """Add what a block says."""
        self._note(block)
        masked = mask_block(self.layout, block)
        lowered = lower_in_place(masked.text)
        links = sorted(masked.links, key=lambda link: link.start)
        written = self.text[block.start : block.end]
        marks = find_marks(lowered, FAMILIES)
        mentioned = self.reader.find(block, masked.text, written, links)
        if mentioned:
            self._read_sentences(block, masked.text, written, marks, mentioned)
        self.before = block

    @property
    def reader(self) -> Reader:
        """The reader of references, built for the first block that needs it."""
        if self._reader is None:
            self._reader = Reader(self.memo, self.names)
        return self._reader

    def _note(self, block: Block) -> None:
        if block.kind is BlockKind.HEADING and not block.quoted:
            self.headings += 1
            self.heading = self.text[block.start : block.end]
            self.heading_block = block
            if self.headings > 1 or not _is_title(self.text, block):
                self.is_preamble = False
        if not block.quoted:
            self.in_callout = False
        elif is_callout(self.text, block):
            self.in_callout = True

    def _read_sentences(
        self, block: Block, prose: str, written: str, marks: Sequence[Mark], mentioned: Sequence[Mentioned]
    ) -> None:
        spans = split_block(prose, written, block.kind)
        reduced = [reduce_sentence(prose, start, end, mentioned) for start, end in spans]
        quotes = find_quotes(prose)
        struck = [match.span() for match in _struck().finditer(prose)]
        at = [mark.start for mark in marks]
        began = [each.start for each in mentioned]
        is_note = False
        for index, (start, end) in enumerate(spans):
            sentence = reduced[index]
            is_note = is_note or _note_label().match(sentence.low) is not None
            inside = marks[bisect_left(at, start) : bisect_left(at, end)]
            context = self._context(block, reduced, index, len(spans), is_note)
            own = mentioned[bisect_left(began, start) : bisect_left(began, end)]
            covered = [(each.start, each.end) for each in own]
            for claim in self._claims(sentence, inside, context, covered):
                offset = sentence.offsets[claim.mark.start]
                length = claim.mark.end - claim.mark.start
                extra = set(context.holds)
                if self.is_index:
                    extra.add(Refusal.CATALOGUE)
                if is_question(prose[start:end]):
                    extra.add(Refusal.QUESTION)
                if _holds(quotes, offset):
                    extra.add(Refusal.QUOTED)
                if _holds(struck, offset):
                    extra.add(Refusal.NEGATED)
                if block.quoted and not self._is_plain_quote(block, claim):
                    extra.add(Refusal.QUOTED)
                held = claim._replace(refusals=claim.refusals | extra, is_proof=claim.is_proof and not extra)
                place = block.start + offset, block.start + offset + length
                self._add(held, self._cite(place, written[start:end], offset - start))

    def _claims(
        self, sentence: Reduced, marks: Sequence[Mark], context: Context, covered: Sequence[tuple[int, int]]
    ) -> Iterator[Claim]:
        placed: list[Mark] = []
        for mark in marks:
            if _holds(covered, mark.start):
                continue  # part of a name
            left = sentence.at(mark.start)
            right = sentence.at(mark.end)
            if left < right:
                placed.append(mark._replace(start=left, end=right))
        if len(sentence.text) > MAX_SENTENCE:
            for mark in placed[:MAX_MARKS]:
                part, first = sentence.around(mark.start, mark.end, MAX_SENTENCE // 2)
                moved = mark._replace(start=mark.start - first, end=mark.end - first)
                for claim in read_claims(part, [moved], context):
                    yield claim._replace(mark=mark, is_proof=False)
            return
        found = list(read_claims(sentence, placed, context))
        yield from found
        told = {each.start for claim in found for each in (*claim.targets, *claim.successors)}
        for claim in read_augmenting(sentence, context):
            if not told.intersection(each.start for each in claim.targets):
                yield claim

    def _context(self, block: Block, reduced: Sequence[Reduced], index: int, count: int, is_note: bool) -> Context:
        heading = " ".join(self.heading.casefold().strip("#*_: \n").split())
        under_status = re.fullmatch(words.STATUS_HEADINGS, heading) is not None
        holds = {refusal for refusal, pattern in words.HOLDING_HEADINGS if re.match(pattern, heading)}
        sentence = reduced[index]
        if _example_label().match(sentence.low) or (index and _example_label().fullmatch(reduced[0].low)):
            holds.add(Refusal.QUOTED)
        speaks = index > 0 and _begins_with_self().match(reduced[index - 1].low) is not None
        following = reduced[index + 1].low if index + 1 < len(reduced) else ""
        if following and not _goes_on().match(following):
            following = ""
        is_title = block.kind is BlockKind.HEADING
        note = is_note or self.is_preamble or under_status or is_title or self.in_callout
        return Context(
            is_note=(note and block.kind is not BlockKind.ROW) or is_note,
            is_preamble=self.is_preamble,
            is_top=self.headings <= 2 and note,
            speaks_of_self=speaks,
            subject=self._subject_above(block, reduced, index),
            may_be_bare=self.is_preamble or is_note or under_status or count == 1 or speaks,
            holds=tuple(holds),
            following=following,
        )

    def _subject_above(self, block: Block, reduced: Sequence[Reduced], index: int) -> tuple[Mentioned, ...]:
        """The other memo that a sentence without subject is about: named before it, in its row, item or heading."""
        if index:
            for earlier in reversed(reduced[:index]):
                others = _others(earlier)
                if others and not _begins_with_self().match(earlier.low):
                    return others[:1]
                if block.kind is not BlockKind.ROW:
                    break
        heading = self.heading_block
        if heading and block.kind is not BlockKind.HEADING and (others := self._named_in(heading)):
            return others[:1]
        if block.kind is BlockKind.ITEM and self.before is not None and self.before.kind is BlockKind.ITEM:
            line = self.text.rfind("\n", 0, block.start) + 1
            line_before = self.text.rfind("\n", 0, self.before.start) + 1
            if block.start - line > self.before.start - line_before and (others := self._named_in(self.before)):
                return others[:1]
        return ()

    def _named_in(self, block: Block) -> tuple[Mentioned, ...]:
        if self._named is None or self._named[0] != block:
            masked = mask_block(self.layout, block)
            found = self.reader.find(block, masked.text, self.text[block.start : block.end], masked.links)
            self._named = block, tuple(each for each in found if each.sign == OTHER)
        return self._named[1]

    def _is_plain_quote(self, block: Block, claim: Claim) -> bool:
        """Whether a block quote is the author's own voice: a callout, or a notice about this memo at the top."""
        if self.in_callout:
            return True
        return self.is_preamble and block.start < self.voiced and not (claim.targets and claim.successors)

    def _add(self, claim: Claim, evidence: Evidence) -> None:
        """Put down each pair of a claim."""
        refusals = tuple(sorted(claim.refusals, key=DECISIVE.index))
        for target in claim.targets or (None,):
            for successor in claim.successors or (None,):
                told = _name(target, self.memo), _name(successor, self.memo)
                held = refusals
                if told[0] == told[1]:
                    held = (*refusals, Refusal.SELF) if Refusal.SELF not in refusals else refusals
                self.found.append(Candidate(*told, evidence, held, claim.is_proof and not held, claim.score))

    def _cite(self, place: tuple[int, int], sentence: str, at: int) -> Evidence:
        """The evidence of a closure word, which stays on its line."""
        start, end = place
        line_end = self.text.find("\n", start, end)
        if self._lines is None:
            self._lines = LineTable(self.text)
        span = self._lines.span(start, line_end if line_end >= 0 else end)
        above = self.first_line - 1
        span = span._replace(line=span.line + above, end_line=span.end_line + above)
        return Evidence(self.memo.path, span, _cut(sentence, at))


def _settle(found: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """All candidates by place; a proof that another sentence of the same body takes back becomes a question."""
    doubted = {
        (each.target, each.successor)
        for each in found
        if each.refusals and each.refusals[0] in (Refusal.PARTIAL, Refusal.NEGATED) and each.score >= _TAKES_BACK
    }
    settled = [
        each._replace(is_proof=False) if each.is_proof and (each.target, each.successor) in doubted else each
        for each in found
    ]
    settled.sort(key=lambda each: (each.evidence.span, each.target, each.successor))
    return tuple(dict.fromkeys(settled))


_TAKES_BACK = 0.8
"""The score from which on a claim has a subject that can take back another one."""


def _name(mentioned: Mentioned | None, memo: Memo) -> str:
    if mentioned is None:
        return memo.path
    return mentioned.paths[0] if len(mentioned.paths) == 1 else " ".join(mentioned.written.split())


def _holds(ranges: Sequence[tuple[int, int]], offset: int) -> bool:
    """Whether one of the ranges, which are in order, holds an offset."""
    index = bisect_right(ranges, offset, key=lambda each: each[0]) - 1
    return index >= 0 and offset < ranges[index][1]


def _others(sentence: Reduced) -> tuple[Mentioned, ...]:
    return tuple(each for each in sentence.mentioned.values() if each.sign == OTHER)


def _is_title(text: str, block: Block) -> bool:
    """Whether a heading is of the first level."""
    line = text.rfind("\n", 0, block.start) + 1
    lead = text[line : block.start].strip(" \t>")
    if lead:
        return lead == "#"
    return text[block.end : block.end + 2] == "\n="


def _cut(sentence: str, at: int) -> str:
    """A sentence as written; of a very long one the part around its closure word."""
    if len(sentence) <= MAX_TEXT:
        return sentence
    start = max(0, min(at - MAX_TEXT // 2, len(sentence) - MAX_TEXT))
    return sentence[start : start + MAX_TEXT]


def _labels(table: Sequence[str]) -> str:
    return "|".join(re.escape(label) for label in sorted(table, key=len, reverse=True))


@cache
def _augmenting_word() -> re.Pattern[str]:
    return re.compile(r"\b(?:augment|extend|complement|supplement|amend|refin|builds? |expands? |elaborates? |enhance)")


@cache
def _note_label() -> re.Pattern[str]:
    return re.compile(rf"(?:[^\w\ue000-\ue004]|:\w+:)*(?:\[![a-z]+\]|(?:{_labels(LABELS)}) ?(?:[:\u2013\u2014]|-\s))")


@cache
def _example_label() -> re.Pattern[str]:
    return re.compile(rf"[^\w\ue000-\ue004]*(?:{_labels(words.EXAMPLES)})\.?,? ?(?:\([^()]*\) ?)?[:,\u2013\u2014].*")


@cache
def _begins_with_self() -> re.Pattern[str]:
    return re.compile(
        rf"[^\w\ue000-\ue004]*(?:[a-z][\w -]{{0,20}}: ?)?(?:{words.PREFIX},? )*(?:{SELF}|this (?!is|was))"
    )


@cache
def _goes_on() -> re.Pattern[str]:
    return re.compile(r"[^\w\ue000-\ue004]*(?:it|this|that|however|but|they|later|only|the|we|[\ue000-\ue003])")


@cache
def _struck() -> re.Pattern[str]:
    return re.compile(r"~~(?=\S)[^~]{1,2000}~~|<(?P<tag>del|s|strike)>.{1,2000}?</(?P=tag)>", re.DOTALL)
