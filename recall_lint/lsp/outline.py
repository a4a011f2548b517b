"""What an editor shows beside a memo: its headings, a line above it, and words beside its references."""

from lsprotocol import types

from recall_core.frontmatter.fence import Shape
from recall_core.model.escape import visible
from recall_core.prose.blocks import read_blocks
from recall_core.prose.layout import BlockKind
from recall_lint.lsp.page import Page
from recall_lint.lsp.wording import describe_standing

OPEN = "recall.open"
"""The command behind a line above a memo: show the documents at these addresses."""

_DEPRECATED = (types.SymbolTag.Deprecated,)


def list_symbols(page: Page) -> list[types.DocumentSymbol]:
    """The memo with its headings below it; marked as deprecated where it is not in force."""
    sheet, memo = page.sheet, page.memo
    whole = sheet.range_between(0, len(sheet.text))
    in_force = page.desk.judgment.is_in_force(memo)
    root = types.DocumentSymbol(
        visible(memo.title or memo.key) or memo.path,
        types.SymbolKind.File,
        whole,
        sheet.range_between(0, len(sheet.line(1))),
        visible(describe_standing(page.desk, memo)),
        None if in_force else _DEPRECATED,
        children=_headings(page),
    )
    return [root]


def _headings(page: Page) -> list[types.DocumentSymbol]:
    if page.fence.shape is Shape.UNCLOSED:
        return []
    sheet, shift = page.sheet, page.fence.body
    layout = read_blocks(sheet.text[shift:])
    found = [each for each in layout.blocks if each.kind is BlockKind.HEADING and not each.quoted]
    starts = [sheet.table.starts[sheet.table.line(each.start + shift) - 1] for each in found]
    ends = [*starts[1:], len(sheet.text)][: len(starts)]
    symbols = []
    for each, start, end in zip(found, starts, ends, strict=True):
        name = " ".join(layout.text[each.start : each.end].split())
        if name:
            place, own = sheet.range_between(start, end), sheet.range_between(each.start + shift, each.end + shift)
            symbols.append(types.DocumentSymbol(visible(name), types.SymbolKind.String, place, own))
    return symbols


def list_lenses(page: Page) -> list[types.CodeLens]:
    """`replaced by …` and `replaces 2 memos`, above the first line."""
    desk, memo = page.desk, page.desk.corpus.memo(page.path)
    if memo is None:
        return []
    place, lenses = page.sheet.range_between(0, 0), []
    if successors := desk.judgment.successors(memo):
        more = f" and {len(successors) - 1} more" if len(successors) > 1 else ""
        lenses.append((f"replaced by {successors[0].path}{more}", successors))
    if replaced := desk.judgment.replaced_by(memo):
        what = replaced[0].path if len(replaced) == 1 else f"{len(replaced)} memos"
        lenses.append((f"replaces {what}", replaced))
    return [
        types.CodeLens(place, types.Command(visible(title), OPEN, arguments=[[desk.address(m.path) for m in memos]]))
        for title, memos in lenses
    ]


def list_hints(page: Page, place: types.Range) -> list[types.InlayHint]:
    """The standing of the memo that each reference in a range names, behind it."""
    first, last = page.sheet.offset(place.start), page.sheet.offset(place.end)
    hints = []
    for each in page.mentions():
        if each.reference is not None and len(each.memos) == 1 and first <= each.end <= last:
            own = [memo.path for memo in page.desk.judgment.successors(each.memos[0])] == [page.path]
            words = "superseded by this memo" if own else describe_standing(page.desk, each.memos[0])
            position = page.sheet.range_between(each.end, each.end).start
            hints.append(types.InlayHint(position, visible(words), padding_left=True))
    return hints
