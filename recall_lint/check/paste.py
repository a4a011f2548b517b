"""The line to paste: what a memo would say if it declared an edge, and where."""

from recall_core.frontmatter.declare import Refused, declare
from recall_core.frontmatter.edit import apply_edits
from recall_core.frontmatter.lines import LINE_END
from recall_core.graph.corpus import Corpus, Naming
from recall_core.model.memo import Memo, Reference
from recall_lint.check.suggestion import Paste


def build_paste(corpus: Corpus, data: bytes, memo: Memo, target: Memo) -> Paste:
    """What to type in `memo`, whose file holds `data`, to declare that it replaces `target`.

    The text is empty where that is declared already, or where a program should not write it.
    """
    declaration = declare(data, memo, target, names=lambda reference: _only(corpus, memo, reference))
    if isinstance(declaration, Refused):
        return Paste(1, "", refusal="; ".join(filter(None, (declaration.reason, declaration.help))))
    if not declaration.edits:
        return Paste(1, "", refusal="it is declared already")
    opened = declaration.edits[0].text
    if opened.startswith("---\n"):  # a memo without frontmatter takes a block above it
        return Paste(1, opened.removesuffix("\n"))
    before, after = _lines(data), _lines(apply_edits(data, declaration.edits))
    typed = declaration.line.split("\n")
    first = declaration.span.line
    line = next((at for at in range(first, len(after) + 1) if after[at - 1 : at - 1 + len(typed)] == typed), first)
    return Paste(line, declaration.line, replaces=len(after) - len(before) < len(typed))


def _only(corpus: Corpus, memo: Memo, reference: Reference) -> Memo | None:
    found = corpus.resolve(memo, reference)
    return found.memos[0] if found.naming is Naming.ONE else None


def _lines(data: bytes) -> list[str]:
    return LINE_END.split(data.decode("utf-8", "replace").lstrip("\ufeff"))
