"""Where the comments of a memo stand: YAML comments outside scalars, HTML comments outside code.

A scan of lines, run only for the few files that hold a directive at all. It follows CommonMark as far as comments and
code are concerned, and never reads a stretch of text twice, whatever the text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Range(NamedTuple):
    """Half-open offsets into the text."""

    start: int
    end: int


_QUOTED = {'"': re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL), "'": re.compile(r"'(?:[^']|'')*+'")}
_YAML_SIGN = re.compile(r"[\"'#]")
_BLOCK_SCALAR = re.compile(r"(?:[:\-?][ \t]+(?:[!&][^ \t]*[ \t]+)*)[|>][-+0-9]{0,2}[ \t]*\Z")
_KEY_INDENT = re.compile(r" *(?:- +)*?(?=(?:- +)?[|>!&]|[^- ]|\Z)")

_LEAD = re.compile(r"(?:[ \t>]|(?P<item>[-*+]|[0-9]{1,9}[.)])(?=[ \t]))*+")
_FENCE = re.compile(r"`{3,}+(?=[^`\r\n]*+(?:[\r\n]|\Z))|~{3,}+")
_FENCE_END = re.compile(r"[ \t>]*+(`{3,}+|~{3,}+)[ \t]*+(?:[\r\n]|\Z)")
_OWN_LINE = re.compile(r"\#{1,6}[ \t]|\|")
_INLINE = re.compile(r"\\[!-/:-@\[-`{-~]|(?P<ticks>`++)|(?P<comment><!--)")
_TICKS = re.compile(r"`++")
_BLANKS = " \t"
_CODE_INDENT = 4
_LOOK_BACK = 200  # enough for any tag before a quoted scalar, and an end to what a hostile line can cost


def yaml_comments(text: str, starts: Sequence[int], first: int, last: int) -> Iterator[Range]:
    """The comments on the lines `first` up to `last` (from 1, the last one not among them), without their line ends.

    `starts` are the offsets of all lines. `#` inside a quoted or a block scalar is text.
    """
    end = _start_of(starts, last, len(text))
    resume = 0
    scalar_indent = -1
    for number in range(first, last):
        start = starts[number - 1]
        stop = _line_stop(text, start, min(_start_of(starts, number + 1, len(text)), end))
        line = text[start:stop]
        if resume >= stop:
            continue
        indent = len(line) - len(line.lstrip(" "))
        if scalar_indent >= 0 and (indent > scalar_indent or not line.strip(_BLANKS)):
            continue
        scalar_indent = -1
        comment, resume = _comment_in(text, max(start, resume), stop, end, line_start=start)
        if comment is not None:
            yield comment
        content = text[start : comment.start if comment else stop]
        if resume <= stop and ("|" in content or ">" in content) and _BLOCK_SCALAR.search(content):
            match = _KEY_INDENT.match(content)
            scalar_indent = match.end() if match else indent


def _comment_in(text: str, at: int, stop: int, end: int, *, line_start: int) -> tuple[Range | None, int]:
    """The comment between `at` and the line's end at `stop`, and where reading goes on (in a later line if quoted)."""
    while (sign := _YAML_SIGN.search(text, at, stop)) is not None:
        at = sign.end()
        if sign[0] == "#":
            if sign.start() == line_start or text[sign.start() - 1] in _BLANKS:
                return Range(sign.start(), stop), stop
        elif _opens_scalar(text[max(line_start, sign.start() - _LOOK_BACK) : sign.start()]):
            quoted = _QUOTED[sign[0]].match(text, sign.start(), end)
            if quoted is not None:
                at = quoted.end()
                if at >= stop:
                    return None, at
    return None, stop


def _opens_scalar(before: str) -> bool:
    """Whether a quote after `before` begins a scalar; in the middle of one it is a letter like any other."""
    bare = before.rstrip(_BLANKS)
    if not bare or bare[-1] in "[{,":
        return True
    return bare != before and (bare[-1] in ":-?" or bare.split()[-1][0] in "!&")


def html_comments(text: str, starts: Sequence[int], first: int) -> list[Range]:
    """The HTML comments from the line `first` (from 1) to the end, outside fenced, indented and inline code."""
    reader = _BodyReader(text)
    for number in range(first, len(starts) + 1):
        start = starts[number - 1]
        reader.read_line(start, _line_stop(text, start, _start_of(starts, number + 1, len(text))))
    reader.close()
    return reader.comments


def _start_of(starts: Sequence[int], line: int, end: int) -> int:
    return starts[line - 1] if line <= len(starts) else end


def _line_stop(text: str, start: int, end: int) -> int:
    """Where the line that ends (with its line end) at `end` stops."""
    if end > start and text[end - 1] == "\n":
        end -= 1
    if end > start and text[end - 1] == "\r":
        end -= 1
    return end


class _Fence(NamedTuple):
    mark: str
    indent: int
    quoted: bool


class _BodyReader:
    """Reads a body line by line; what it has found so far is in `comments`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.comments: list[Range] = []
        self.last_closing = text.rfind("-->")
        self.resume = 0  # up to here everything has been read: the end of a comment that spans lines
        self.fence: _Fence | None = None
        self.paragraph = -1  # where the open paragraph begins; below 0 there is none
        self.paragraph_end = -1
        self.in_list = False

    def read_line(self, start: int, stop: int) -> None:
        """Take in the line between two offsets, without its line end."""
        if start < self.resume:
            if self.resume < stop:
                self._continue(self.resume, stop)
            return
        if self.fence is not None and self._is_fenced(self.fence, start, stop):
            return
        lead = _LEAD.match(self.text, start, stop)
        content = lead.end() if lead else start
        is_item = lead is not None and lead["item"] is not None
        if content == stop and not is_item:
            self.close()
            return
        if self.paragraph < 0 and self._is_indented_code(start, content):
            return
        self.in_list = self.in_list or is_item
        self._read_content(start, content, stop, is_item=is_item)

    def close(self) -> None:
        """End the open paragraph: code spans and comments never leave theirs."""
        if self.paragraph >= 0:
            self._scan(self.paragraph, self.paragraph_end)
        self.paragraph = -1

    def _read_content(self, start: int, content: int, stop: int, *, is_item: bool) -> None:
        opening = _FENCE.match(self.text, content, stop)
        if opening is not None:
            self.close()
            lead = self.text[start:content]
            self.fence = _Fence(opening[0], len(lead.expandtabs(_CODE_INDENT)), ">" in lead)
        elif self.text.startswith("<!--", content):
            self.close()
            self._read_comment_block(content, stop)
        elif _OWN_LINE.match(self.text, content, stop):
            self.close()
            self._continue(content, stop)
            self.close()
        else:
            if is_item:
                self.close()
            self._continue(content, stop)

    def _continue(self, start: int, stop: int) -> None:
        if self.paragraph < 0:
            self.paragraph = start
        self.paragraph_end = stop

    def _is_fenced(self, fence: _Fence, start: int, stop: int) -> bool:
        """Whether the line belongs to the fence, which it may close."""
        if fence.quoted and not self.text[start:stop].lstrip(_BLANKS).startswith(">"):
            self.fence = None  # the quote that held it is over
            return False
        closing = _FENCE_END.match(self.text, start, stop)
        if closing is not None and closing[1].startswith(fence.mark):
            lead = self.text[start : closing.start(1)]
            if len(lead.expandtabs(_CODE_INDENT)) < fence.indent + _CODE_INDENT:
                self.fence = None
        return True

    def _is_indented_code(self, start: int, content: int) -> bool:
        """Whether a line that continues no paragraph is code by its indent. In a list never; it ends at the margin."""
        lead = self.text[start:content]
        blanks = lead[: len(lead) - len(lead.lstrip(_BLANKS))]
        self.in_list = self.in_list and bool(blanks)
        return not self.in_list and len(blanks.expandtabs(_CODE_INDENT)) >= _CODE_INDENT

    def _read_comment_block(self, start: int, stop: int) -> None:
        """A comment that begins a line, and may span blank ones. Never closed, it hides the rest of the text."""
        # From two on: `<!-->` is a whole comment.
        closing = self.text.find("-->", start + 2) if start < self.last_closing else -1
        if closing < 0:
            self.resume = len(self.text) + 1
            return
        self.resume = closing + 3
        self.comments.append(Range(start, self.resume))
        if self.resume < stop:
            self._continue(self.resume, stop)

    def _scan(self, start: int, end: int) -> None:
        """Find the comments within a paragraph, outside its code spans."""
        runs: dict[int, list[int]] = {}
        for run in _TICKS.finditer(self.text, start, end):
            runs.setdefault(len(run[0]), []).append(run.start())
        last_closing = self.text.rfind("-->", start, end)
        at = start
        while (sign := _INLINE.search(self.text, at, end)) is not None:
            at = sign.end()
            if sign["ticks"]:
                same = runs.get(len(sign["ticks"]), [])
                following = bisect_right(same, sign.start())
                if following < len(same):
                    at = same[following] + len(sign["ticks"])
            elif sign["comment"] and sign.start() < last_closing:
                at = self.text.find("-->", sign.start() + 2, end) + 3
                self.comments.append(Range(sign.start(), at))
