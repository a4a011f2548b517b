"""One edge put into one memo: the edit that declares it, verified by reading the result, or the reason why not."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import yaml

from recall_core.frontmatter.edit import EditError, apply_edits
from recall_core.frontmatter.fence import Fence, Shape, find_fence
from recall_core.frontmatter.insertion import Placement, RefusedError, place_names
from recall_core.frontmatter.lines import LINE_END, LineTable
from recall_core.frontmatter.nodes import Node, compose
from recall_core.frontmatter.read import decode, read_text
from recall_core.frontmatter.reference import build_reference, is_outside, is_placeholder, normalise_key
from recall_core.frontmatter.round_trip import explain_difference
from recall_core.frontmatter.scalar import write_scalar
from recall_core.frontmatter.vocabulary import meant_key
from recall_core.model.memo import Key, Memo, Problem, ProblemKind, Reference, Style
from recall_core.model.span import START, Span, TextEdit

_MISPLACED = (ProblemKind.MISPLACED_BLOCK, ProblemKind.LEADING_BLANK_BLOCK, ProblemKind.UNUSUAL_FENCE)
_BOOLEANS = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n"})
_DATE = re.compile(r"[0-9]{1,4}([-/.])[0-9]{1,2}\1[0-9]{1,4}.*", re.DOTALL)

_FENCED = re.compile(r"---[ \t]*(?:\r\n|\n|\r)(.{0,65536}?(?:\r\n|\n|\r))(?:---|\.\.\.)[ \t]*(?:[\r\n]|\Z)", re.DOTALL)

Names = Callable[[Reference], Memo | None]
"""The one memo that a reference, written in the memo that is edited, names."""


class Declaration(NamedTuple):
    """How a memo declares its edges.

    `edits` are empty where every edge is declared already. `line` is what the edited lines then say, without the last
    line end (`supersedes: backups-weekly.md`), `span` the first edit's place, and `written` the names as written.
    """

    edits: tuple[TextEdit, ...]
    line: str
    span: Span
    written: tuple[str, ...] = ()


class Refused(NamedTuple):
    """Nothing is written: why, and what to type instead."""

    reason: str
    help: str = ""


class _Name(NamedTuple):
    """A value to write, the keys that it may name, and the one path that it must."""

    value: str
    keys: frozenset[str]
    path: str | None


def declare(
    data: bytes, memo: Memo, target: Memo | str, *, written: str | None = None, names: Names | None = None
) -> Declaration | Refused:
    """How `memo`, whose file holds `data`, declares that it replaces `target`: a memo, or a reference as written.

    `memo` is the reading of `data`. A target is named by its file name, or by `written`. `names` resolves references
    where there is a corpus: the edge must then lead to exactly `target`; without it keys are compared.
    """
    return _declare(data, memo, [_build_name(target, written)], names)


def declare_all(
    data: bytes, memo: Memo, targets: Sequence[tuple[Memo | str, str | None]], *, names: Names | None = None
) -> Declaration | Refused:
    """As `declare` for several targets, each with how it is to be written (or None): all of them or none."""
    return _declare(data, memo, [_build_name(*target) for target in targets], names)


def _build_name(target: Memo | str, written: str | None) -> _Name:
    if isinstance(target, Memo):
        value = written if written is not None else target.path.rpartition("/")[2]
        return _Name(value, frozenset({target.key}), target.path)
    reference = build_reference(target, target, START, Style.PLAIN)
    keys = {reference.key} if reference.part else {reference.key, reference.name}
    return _Name(written if written is not None else target, frozenset(keys), None)


def _declare(data: bytes, memo: Memo, wanted: Sequence[_Name], names: Names | None) -> Declaration | Refused:
    text = decode(data)
    if refused := _refuse_memo(memo, text):
        return refused
    assert text is not None  # noqa: S101 - such a memo is unreadable
    missing: list[_Name] = []
    for name in wanted:
        if refused := _refuse_name(name, memo):
            return refused
        declared = any(_leads_to(reference, name, names) for reference in memo.supersedes)
        if not declared and not any(name.keys & other.keys for other in missing):
            missing.append(name)
    if not missing:
        return Declaration((), "", START)
    if misspelt := next((key for key in memo.keys if meant_key(key.name) == "supersedes" and _holds_names(key)), None):
        reason = f"`{misspelt.name}` on line {misspelt.span.line} looks like a misspelt `supersedes`"
        return Refused(reason, "write that key as `supersedes` first")
    return _Writer(data, text, memo, missing, names).write()


def _refuse_memo(memo: Memo, text: str | None) -> Refused | None:
    if not memo.readable or text is None:
        problem = memo.problems[0] if memo.problems else Problem(ProblemKind.UNREADABLE_FILE, START, "it is not UTF-8")
        where = f" (line {problem.span.line})"
        return Refused(f"the metadata of {memo.path} cannot be read{where}: {problem.message}", problem.help)
    if memo.block_end:
        return None
    unread = next((each for each in memo.problems if each.kind in _MISPLACED), None)
    if unread is not None:
        reason = f"{memo.path} has metadata that is not read (line {unread.span.line}): {unread.message}"
        return Refused(reason, unread.help)
    if _declares_by_eye(text):
        reason = f"{memo.path} begins with a `supersedes` that is not read"
        return Refused(reason, "write `supersedes:` in column 1 of the line after the first `---`")
    return None


def _declares_by_eye(text: str) -> bool:
    """Whether the lines between two fences at the top are no block to us, and hold the key to another YAML reader."""
    found = _FENCED.match(text)
    if found is None or "supersedes" not in found[1]:
        return False
    try:
        root = compose(found[1])
    except yaml.YAMLError:
        return False
    return isinstance(root, yaml.MappingNode) and len(_without(root)) < 2 * len(root.value)


def _refuse_name(name: _Name, memo: Memo) -> Refused | None:
    value = name.value
    if "\n" in value or "\r" in value:
        return Refused("the name of the file holds a line end", "rename the file")
    if write_scalar(value) is None:
        return Refused("the name of the file is not UTF-8", "rename the file")
    if not normalise_key(value):
        return Refused(f"`{value}` names no memo", "rename the file")
    if is_placeholder(value):
        return Refused(f"`{value}` reads as a placeholder", "rename the file")
    if is_outside(value, memo.path):
        return Refused(f"`{value}` names nothing inside the root", "name a memo")
    if name.path == memo.path or (name.path is None and memo.key in name.keys):
        return Refused("a memo cannot replace itself", "name the memo that it replaces")
    return None


def _leads_to(reference: Reference, name: _Name, names: Names | None) -> bool:
    if names is None:
        return reference.key in name.keys or (not reference.part and reference.name in name.keys)
    memo = names(reference)
    return memo is not None and memo.key in name.keys and (name.path is None or memo.path == name.path)


def _holds_names(key: Key) -> bool:
    """Whether the value of a key that resembles `supersedes` reads as names: `superseded: true` is a status."""
    if key.null:
        return False
    if key.value is None:
        return True
    text = key.value.strip()
    return bool(text) and text.lower() not in _BOOLEANS and not _DATE.fullmatch(text)


class _Writer(NamedTuple):
    """The edit of one text, and what has to be true of the text that it makes."""

    data: bytes
    text: str
    memo: Memo
    missing: Sequence[_Name]
    names: Names | None

    def write(self) -> Declaration | Refused:
        fence, table = find_fence(self.text), LineTable(self.text)
        values = [name.value for name in self.missing]
        by_hand = f"add it by hand: `supersedes: {values[0]}`"
        try:
            placed = place_names(self.text, fence, table, values)
        except RefusedError as refused:
            return Refused(refused.reason, refused.help)
        edits = tuple(TextEdit(table.span(start, end), new) for start, end, new in placed.edits)
        try:
            after = decode(apply_edits(self.data, edits))
        except EditError as error:
            return Refused(str(error), by_hand)
        if after is None or (why := self._explain(fence, placed, after)):
            return Refused(f"the result would not be the same memo with one edge more: {why}", by_hand)
        first = edits[0].span.line + placed.line
        lines = LINE_END.split(after)[first - 1 : first - 1 + placed.lines]
        written = tuple(write_scalar(value) or value for value in values)
        return Declaration(edits, "\n".join(lines), edits[0].span, written)

    def _explain(self, fence: Fence, placed: Placement, after: str) -> str:
        """What is wrong with the edited text, or ""."""
        new_fence = find_fence(after)
        if new_fence.shape is not Shape.BLOCK:
            return "no metadata block would begin on line 1"
        made = read_text(self.memo.path, after, new_fence)
        old, now = self.memo.supersedes, made.supersedes
        if not made.readable:
            return made.problems[0].message
        if list(map(_meaning, now[: len(old)])) != list(map(_meaning, old)) or len(now) != len(old) + len(self.missing):
            return "the references would not be the old ones and the new"
        added = now[len(old) :]
        if not all(_leads_to(reference, name, self.names) for reference, name in zip(added, self.missing, strict=True)):
            return "the name would be read as another memo's, or as nobody's"
        return self._explain_rest(fence, new_fence, placed, after, made)

    def _explain_rest(self, fence: Fence, new_fence: Fence, placed: Placement, after: str, made: Memo) -> str:
        if after[new_fence.body :] != self.text[fence.body :]:
            return "the text below the metadata would change"
        for key, old, new in (
            ("valid_from", self.memo.valid_from, made.valid_from),
            ("valid_until", self.memo.valid_until, made.valid_until),
        ):
            if (old and old.written) != (new and new.written):
                return f"`{key}` would change"
        if Counter(each.kind for each in made.problems) - Counter(each.kind for each in self.memo.problems):
            return made.problems[-1].message
        if fence.shape is not Shape.BLOCK:
            return ""
        before, block = self.text[fence.start : fence.end], after[new_fence.start : new_fence.end]
        if not _same_otherwise(compose(before), compose(block)):
            return "another key would change"
        return explain_difference(before, block, len(self.missing)) if placed.restructured else ""


def _meaning(reference: Reference) -> tuple[str, ...]:
    return reference.value, reference.key, reference.name, reference.part


def _same_otherwise(old: Node | None, new: Node | None) -> bool:
    """Whether two blocks have the same nodes but for the value of `supersedes`. Aliases are shared nodes: each once."""
    seen: set[tuple[int, int]] = set()
    pending = [(_without(old), _without(new))]
    while pending:
        one, other = pending.pop()
        if len(one) != len(other):
            return False
        for first, second in zip(one, other, strict=True):
            if (id(first), id(second)) in seen:
                continue
            seen.add((id(first), id(second)))
            if type(first) is not type(second):
                return False
            if isinstance(first, yaml.ScalarNode):
                if (first.value, first.style) != (second.value, getattr(second, "style", None)):
                    return False
            else:
                pending.append((_children(first), _children(second)))
    return True


def _without(root: Node | None) -> list[Node]:
    pairs = root.value if isinstance(root, yaml.MappingNode) else ()
    return [
        node
        for key, value in pairs
        if not (isinstance(key, yaml.ScalarNode) and key.value == "supersedes")
        for node in (key, value)
    ]


def _children(node: Node) -> list[Node]:
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return list(node.value)
