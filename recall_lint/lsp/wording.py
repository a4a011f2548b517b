"""A memo in words, for whoever looks at its name."""

import re

from recall_core.model.escape import visible
from recall_core.model.memo import Memo
from recall_core.model.verdict import Verdict
from recall_lint.lsp.page import Desk

_MARKS = re.compile(r"([\\`*_{}\[\]<>()#+!|&~^-])")


def quote(text: str) -> str:
    """Text of unknown origin within Markdown, where none of it means anything."""
    return _MARKS.sub(r"\\\1", visible(text))


def describe_standing(desk: Desk, memo: Memo) -> str:
    """The verdict on a memo, with what replaced it."""
    judgment = desk.judgment
    verdict = judgment.evaluation.verdict(memo)
    if verdict is Verdict.OK:
        return "in force"
    if verdict is Verdict.SUPERSEDED:
        return f"superseded by {', '.join(each.path for each in judgment.successors(memo))}"
    return str(verdict.value).replace("_", " ")


def describe_window(memo: Memo) -> str:
    """The window as it is written, or ""."""
    first = f"from {memo.valid_from.written}" if memo.valid_from is not None else ""
    last = f"until {memo.valid_until.written}" if memo.valid_until is not None else ""
    return f"valid {' '.join(filter(None, (first, last)))}" if first or last else ""


def describe_chain(desk: Desk, memo: Memo) -> list[str]:
    """The paths from a replaced memo to the one in force, as long as each was replaced by one other."""
    chain, edges = [memo.path], desk.judgment.evaluation.edges.by_target
    while len(claims := edges.get(chain[-1], ())) == 1 and claims[0].successor.path not in chain:
        chain.append(claims[0].successor.path)
    return chain


def describe(desk: Desk, memo: Memo, *, markdown: bool) -> str:
    """Title, standing, window and chain of a memo, each on a line of its own."""
    write = quote if markdown else visible
    title = write(memo.title or memo.key)
    lines = [f"**{title}**" if markdown else title, write(memo.path), write(describe_standing(desk, memo))]
    if window := describe_window(memo):
        lines.append(write(window))
    chain = describe_chain(desk, memo)
    if len(chain) > 2:
        lines.append(" → ".join(map(write, chain)))
    if replaced := desk.judgment.replaced_by(memo):
        lines.append(f"replaces {write(', '.join(each.path for each in replaced))}")
    return "\n\n".join(lines) if markdown else "\n".join(lines)
