"""What one file gives to the linter. It depends on the bytes alone, so it can be kept by blob id."""

from dataclasses import replace
from typing import NamedTuple

from recall_core.frontmatter.fence import Shape, find_fence, find_misplaced, may_hold_validity_key
from recall_core.frontmatter.lines import LineTable, line_at
from recall_core.frontmatter.read import decode, read_memo, read_text, refuse_file
from recall_core.model.memo import Memo, Problem, ProblemKind
from recall_core.ports.corpus import ReadFailure
from recall_core.prose.markers import has_marker
from recall_core.prose.mask import hide_blocks
from recall_core.prose.trace import Trace
from recall_core.prose.traces import NOTHING, find_trace
from recall_lint.suppress import Decline, Directives, Suppression, may_direct, parse_directives


class Reading(NamedTuple):
    """A memo, what its sentences about replacement name, its inline suppressions and declined questions."""

    memo: Memo
    trace: Trace = NOTHING
    suppressions: tuple[Suppression, ...] = ()
    declines: tuple[Decline, ...] = ()


def read_file(path: str, content: bytes | ReadFailure) -> Reading:
    """The reading of a file's content. Never raises for what an author wrote."""
    if isinstance(content, ReadFailure):
        return Reading(refuse_file(path, content.reason))
    text = decode(content)
    if text is None:
        return Reading(read_memo(path, content))
    fence = find_fence(text)
    memo = read_text(path, text, fence)
    directives = parse_directives(text, memo.block_end) if may_direct(content) else Directives()
    if fence.shape is Shape.UNCLOSED:
        return Reading(memo, NOTHING, *directives)  # where its body begins is anybody's guess
    # Beside a BOM this begins a little early, which only lets a look be taken for nothing.
    marked = has_marker(content[len(text[: fence.body].encode()) :] if fence.body else content)
    trace = find_trace(text[fence.body :]) if marked else NOTHING
    fenced = text.find("---", fence.body) >= 0 and may_hold_validity_key(text, fence.body)
    if fenced and (misplaced := _find_misplaced(text, fence.body)):
        memo = replace(memo, problems=(*memo.problems, misplaced))
    return Reading(memo, trace, *directives)


def refuse_unlisted(path: str, reason: str) -> Reading:
    """The reading of what could not be listed: a file, or a folder, whose `path` then ends in a slash."""
    memo = refuse_file(path, reason)
    if path.endswith("/"):
        problem = replace(memo.problems[0], message=f"the folder cannot be listed: {reason}; no memo in it is read")
        memo = replace(memo, problems=(problem,))
    return Reading(memo)


def _find_misplaced(text: str, body: int) -> Problem | None:
    """A block in the wrong place, at its opening fence. Code is blanked first: an example declares nothing."""
    found = find_misplaced(text[body:], hide_blocks)
    if found is None:
        return None
    start, end, key = (body + offset for offset in found)
    table = LineTable(text)
    declared = f"`{line_at(text, key).strip()[:80]}` (line {table.line(key)}) declares nothing"
    if body == 0 and start > 0 and not text[:start].strip(" \t\r\n"):
        kind, why = ProblemKind.LEADING_BLANK_BLOCK, "a metadata block must begin on line 1"
        wanted = "remove the blank lines before it"
    elif start == 0:
        kind, why = ProblemKind.MISPLACED_BLOCK, "a metadata block must begin with a key on the line after the fence"
        wanted = "put the first key on line 2"
        if line_at(text, end + 2).startswith("<<<<<<< "):  # past a CR LF
            why, wanted = "a merge conflict is left in the metadata", "keep one side and remove the markers"
    else:
        kind, why = ProblemKind.MISPLACED_BLOCK, "this looks like a metadata block, but is part of the text"
        wanted = "move the key into the block on line 1, or put the example in a code block"
    return Problem(kind, table.span(start, end), f"{why}: {declared}", wanted)
