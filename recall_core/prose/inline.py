"""What stands inside a block: code spans, comments and links, found from left to right.

Each token is read once. What can fail to close (a backtick run, a comment, a tag) is looked for ahead at most once, and
a link target may hold 32 levels of brackets, so the cost is linear in the block.
"""

import re
from collections import deque
from functools import cache
from typing import NamedTuple

from recall_core.prose.layout import Block, Layout, normalise_id
from recall_core.prose.link import Link, LinkKind, target_path, wikilink_name

MAX_BRACKETS = 32
"""Levels of round brackets in a link target, the limit CommonMark sets too."""

MAX_ID = 999
"""The longest link id, by CommonMark."""


class Inline(NamedTuple):
    """What is in a block: its links in order of their ends, and the ranges in it that are no prose, in order."""

    links: tuple[Link, ...]
    hidden: tuple[tuple[int, int], ...]


def read_inline(layout: Layout, block: Block) -> Inline:
    """The links and the hidden ranges of one block, as offsets into the whole text. Never raises."""
    scanner = _Scanner(layout, block.start, block.end)
    scanner.run()
    return Inline(tuple(scanner.links), tuple(scanner.hidden))


@cache
def _token() -> re.Pattern[str]:
    """What may begin something; every alternative starts with a literal, so that the engine can skip ahead."""
    return re.compile(
        r"\\[!-/:-@\[-`{-~]"
        r"|`++"
        r"|<!--"
        r"|<code[ >]"
        r"|<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^ \t\n<>]*+>"
        r"|http://[^ \t\n<>\"`\[\]|]++"
        r"|https://[^ \t\n<>\"`\[\]|]++"
        r"|ftp://[^ \t\n<>\"`\[\]|]++"
        r"|\[\[[^\[\]\n]++\]\](?!\()"
        r"|!\[\[[^\[\]\n]++\]\](?!\()"
        r"|!\["
        r"|\["
        r"|\]"
    )


@cache
def _ticks() -> re.Pattern[str]:
    return re.compile(r"`++")


@cache
def _code_end() -> re.Pattern[str]:
    return re.compile(r"</code>", re.IGNORECASE)


@cache
def _plain_target() -> re.Pattern[str]:
    """`(target)` as nearly all are: no title, no bracket, no escape."""
    return re.compile(r"\(([^ \t\n()<>\\]*+)\)")


@cache
def _target_part() -> re.Pattern[str]:
    """A stretch of a target up to a round bracket or a blank; a backslash takes the next sign with it."""
    return re.compile(r"[^ \t\n()\\]++|\\[^ \t\n]")


@cache
def _angle_target() -> re.Pattern[str]:
    return re.compile(r"<([^<>\n]*+)>")


@cache
def _target_end() -> re.Pattern[str]:
    """An optional title, then the bracket that closes the target."""
    return re.compile(r"(?:[ \t\n]++(?:\"[^\"]*+\"|'[^']*+'|\([^()]*+\)))?+[ \t\n]*+\)")


@cache
def _blanks() -> re.Pattern[str]:
    return re.compile(r"[ \t\n]*+")


@cache
def _id() -> re.Pattern[str]:
    return re.compile(r"\[([^\[\]]*+)\]")


class _Bracket:
    """An open `[`. `nests` tells that another one was opened and closed in it."""

    __slots__ = ("embedded", "label_start", "nests", "start")

    def __init__(self, start: int, label_start: int, *, embedded: bool) -> None:
        self.start, self.label_start, self.embedded = start, label_start, embedded
        self.nests = False


class _Scanner:
    """The pass over one block, between two offsets."""

    def __init__(self, layout: Layout, start: int, end: int) -> None:
        self.layout, self.start, self.end = layout, start, end
        self.links: list[Link] = []
        self.hidden: list[tuple[int, int]] = []
        self.brackets: list[_Bracket] = []
        self.ticks: dict[int, deque[int]] | None = None
        """Where the backtick runs of each length stand, from the first opener on."""
        self.has_comment_end = True
        self.has_code_end = True

    def run(self) -> None:
        text, end, position = self.layout.text, self.end, self.start
        search = _token().search
        while match := search(text, position, end):
            position = self._read_token(match, match[0])

    def _read_token(self, match: re.Match[str], sign: str) -> int:
        """Deal with one token, and return where to go on."""
        match sign[0]:
            case "[" | "!" if sign.endswith("]]"):
                return self._read_wikilink(match, embedded=sign[0] == "!")
            case "[" | "!":
                self.brackets.append(_Bracket(match.start(), match.end(), embedded=sign[0] == "!"))
            case "]":
                return self._close_bracket(match.start())
            case "`":
                return self._read_code_span(match)
            case "h" | "f":
                return self._read_url(match)
            case "<" if sign == "<!--":
                return self._read_comment(match)
            case "<" if ":" in sign:
                self._hide(match.start(), match.end())
                self._add_url(match.start(), match.end(), sign[1:-1])
            case "<":
                return self._read_code_tag(match)
            case _:
                pass
        return match.end()

    def _hide(self, start: int, end: int) -> None:
        self.hidden.append((start, end))

    def _read_code_span(self, match: re.Match[str]) -> int:
        if self.ticks is None:
            self.ticks = {}
            for run in _ticks().finditer(self.layout.text, match.start(), self.end):
                self.ticks.setdefault(run.end() - run.start(), deque()).append(run.start())
        length = match.end() - match.start()
        runs = self.ticks.get(length, deque())
        while runs and runs[0] < match.end():
            runs.popleft()
        if not runs:
            return match.end()
        end = runs.popleft() + length
        self._hide(match.start(), end)
        return end

    def _read_comment(self, match: re.Match[str]) -> int:
        # From two on, since `<!-->` is a whole comment.
        closing = self.layout.text.find("-->", match.start() + 2, self.end) if self.has_comment_end else -1
        if closing < 0:
            self.has_comment_end = False
            return match.end()
        self._hide(match.start(), closing + 3)
        return closing + 3

    def _read_code_tag(self, match: re.Match[str]) -> int:
        closing = _code_end().search(self.layout.text, match.end(), self.end) if self.has_code_end else None
        if closing is None:
            self.has_code_end = False
            return match.end()
        self._hide(match.start(), closing.end())
        return closing.end()

    def _read_url(self, match: re.Match[str]) -> int:
        url = match[0]
        surplus = url.count(")") - url.count("(")
        # What ends a sentence or closes a bracket around the URL is not part of it.
        length = len(url)
        while url[length - 1] in ".,:;!?'*_~)":
            if url[length - 1] == ")":
                if surplus <= 0:
                    break
                surplus -= 1
            length -= 1
        end = match.start() + length
        self._hide(match.start(), end)
        self._add_url(match.start(), end, url[:length])
        return end

    def _add_url(self, start: int, end: int, target: str) -> None:
        self.links.append(Link(LinkKind.URL, start, end, start, end, target, target_path(target), embedded=False))

    def _read_wikilink(self, match: re.Match[str], *, embedded: bool) -> int:
        start, end = match.start() + 2 + embedded, match.end() - 2
        inside = self.layout.text[start:end]
        name = wikilink_name(inside)
        self.links.append(Link(LinkKind.WIKILINK, match.start(), match.end(), start, end, inside, name, embedded))
        return match.end()

    def _close_bracket(self, close: int) -> int:
        """Deal with a `]`: it ends a link if an opener is there and a target follows or its id is defined."""
        if not self.brackets:
            return close + 1
        opener = self.brackets.pop()
        if self.brackets:
            self.brackets[-1].nests = True
        after = close + 1
        following = self.layout.text[after : after + 1] if after < self.end else ""
        if following == "(":
            target = self._read_target(after)
            if target:
                start, end, after_target = target
                self._hide(after, after_target)
                self._add(LinkKind.INLINE, opener, close, after_target, self.layout.text[start:end])
                return after_target
        return self._read_reference(opener, close, following)

    def _read_reference(self, opener: _Bracket, close: int, following: str) -> int:
        text, after, definitions = self.layout.text, close + 1, self.layout.definitions
        if not definitions:
            return after
        end = after
        written = "" if opener.nests or close - opener.label_start > MAX_ID else text[opener.label_start : close]
        if following == "[" and (match := _id().match(text, after, min(self.end, after + MAX_ID + 2))):
            end = match.end()
            written = match[1].strip() or written
        found = definitions.get(normalise_id(written)) if written else None
        if found is None:
            return after
        if end > after:
            self._hide(after, end)
        self._add(LinkKind.REFERENCE, opener, close, end, text[found.start : found.end])
        return end

    def _add(self, kind: LinkKind, opener: _Bracket, close: int, end: int, target: str) -> None:
        link = Link(kind, opener.start, end, opener.label_start, close, target, target_path(target), opener.embedded)
        self.links.append(link)

    def _read_target(self, start: int) -> tuple[int, int, int] | None:
        """The offsets of a target and of what follows its closing bracket, for a `(` at `start`; None if it is none."""
        text, end = self.layout.text, self.end
        if plain := _plain_target().match(text, start, end):
            return plain.start(1), plain.end(1), plain.end()
        blank = _blanks().match(text, start + 1, end)
        at = blank.end() if blank else start + 1
        if angle := _angle_target().match(text, at, end):
            first, last = angle.span(1)
            at = angle.end()
        else:
            first, last = at, self._balanced_end(at)
            if last < 0:
                return None
            at = last
        closing = _target_end().match(text, at, end)
        return (first, last, closing.end()) if closing else None

    def _balanced_end(self, at: int) -> int:
        """Where a target without blanks ends, its round brackets in pairs; below 0 where they nest too deep."""
        text, end, depth = self.layout.text, self.end, 0
        part = _target_part()
        while at < end:
            if text[at] == "(":
                depth += 1
                if depth > MAX_BRACKETS:
                    return -1
                at += 1
            elif text[at] == ")":
                if depth == 0:
                    break
                depth -= 1
                at += 1
            elif match := part.match(text, at, end):
                at = match.end()
            else:
                break
        return at if depth == 0 else -1
