"""A declined question put into a memo: one comment, read back before it counts."""

from collections.abc import Sequence

from recall_core.frontmatter.declare import Declaration, Refused
from recall_core.frontmatter.edit import apply_edits
from recall_core.frontmatter.fence import Shape, find_fence
from recall_core.frontmatter.lines import LINE_END, LineTable
from recall_core.frontmatter.read import decode
from recall_core.frontmatter.reference import normalise_key
from recall_core.model.memo import Memo
from recall_core.model.span import START, TextEdit
from recall_lint.reading import Reading, read_file
from recall_lint.suppress import Decline, render_decline, render_yaml_decline


def declines(answers: Sequence[Decline], key: str) -> bool:
    """Whether one of a memo's answers says that it does not replace the memo with this key."""
    targets = [answer.target for answer in answers if answer.target is not None]
    return any(key == target.key or (key == target.name and not target.part) for target in targets)


def decline(data: bytes, reading: Reading, target: Memo | str, reason: str = "") -> Declaration | Refused:
    """How the memo of `reading`, whose file holds `data`, says that it does not replace `target`.

    Above the closing fence where there is a block, else as the last line of the file. Without edits where the memo
    says so already.
    """
    memo = reading.memo
    text = decode(data)
    if text is None or not memo.readable:
        problem = memo.problems[0]
        return Refused(f"{memo.path} cannot be read (line {problem.span.line}): {problem.message}", problem.help)
    name = target.path.rpartition("/")[2] if isinstance(target, Memo) else target
    key = target.key if isinstance(target, Memo) else normalise_key(target)
    if not key or "\n" in name or "\r" in name:
        return Refused(f"`{name}` names no memo", "name a memo")
    if declines(reading.declines, key):
        return Declaration((), "", START)
    line, edit = _place(text, name, reason)
    try:
        after = read_file(memo.path, apply_edits(data, [edit]))
    except UnicodeEncodeError:
        return Refused("the name of the file is not UTF-8", "rename the file")
    if after.memo.supersedes == memo.supersedes and declines(after.declines, key):
        return Declaration((edit,), line, edit.span, (name,))
    return Refused(
        "a comment at the end of the memo would not be read: it ends in code, or in a comment", f"add `{line}`"
    )


def _place(text: str, name: str, reason: str) -> tuple[str, TextEdit]:
    fence, table = find_fence(text), LineTable(text)
    if fence.shape is Shape.BLOCK:
        line = render_yaml_decline(name, reason)
        return line, TextEdit(table.span(fence.end, fence.end), f"{line}\n")
    line = render_decline(name, reason)
    ends_line = not text or LINE_END.match(text, len(text) - 1) is not None
    return line, TextEdit(table.span(len(text), len(text)), f"{line}\n" if ends_line else f"\n{line}")
