"""From a name to the memo and back: hover, definition, references and links of a document."""

from collections.abc import Iterator

from lsprotocol import types

from recall_core.model.memo import Memo
from recall_lint.lsp.page import Desk, Mention, Page
from recall_lint.lsp.wording import describe
from recall_lint.rules import REGISTERED

_TOP = types.Range(types.Position(0, 0), types.Position(0, 0))


def hover(page: Page, position: types.Position, *, markdown: bool) -> types.Hover | None:
    """What is known of the memos named at a place; on the first line of the memo itself, and of a rule in a comment."""
    mention = page.mention_at(page.sheet.offset(position))
    place: types.Range | None = None
    if mention is not None and mention.memos:
        said = [describe(page.desk, memo, markdown=markdown) for memo in mention.memos]
        place = page.sheet.range_between(mention.start, mention.end)
    elif (rule := _rule_at(page, position)) is not None:
        said = [rule]
    elif position.line == 0 and page.desk.corpus.memo(page.path) is not None:
        said = [describe(page.desk, page.memo, markdown=markdown)]
    else:
        return None
    kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
    return types.Hover(types.MarkupContent(kind, "\n\n---\n\n".join(said)), place)


def _rule_at(page: Page, position: types.Position) -> str | None:
    offset = page.sheet.offset(position)
    for named in (each for suppression in page.reading.suppressions for each in suppression.rules):
        start, end = page.offsets(named.span)
        if start <= offset <= end:
            for each in REGISTERED:
                if named.text.lower() in (each.rule.code.lower(), each.rule.name):
                    first = each.page.strip().partition("\n")[0]
                    return f"{each.rule.code} {each.rule.name}: {first}"
    return None


def define(page: Page, position: types.Position) -> list[types.Location]:
    """The tops of the memos named at a place."""
    mention = page.mention_at(page.sheet.offset(position))
    return [types.Location(page.desk.address(memo.path), _TOP) for memo in mention.memos] if mention else []


def link(page: Page) -> list[types.DocumentLink]:
    """The places of a memo that name exactly one other."""
    return [
        types.DocumentLink(page.sheet.range_between(each.start, each.end), page.desk.address(each.memos[0].path))
        for each in page.mentions()
        if len(each.memos) == 1
    ]


def subject(page: Page, position: types.Position) -> Memo | None:
    """The memo that a place is about: the one named there, elsewhere the memo itself."""
    mention = page.mention_at(page.sheet.offset(position))
    if mention is None:
        return page.desk.corpus.memo(page.path)
    return mention.memos[0] if len(mention.memos) == 1 else None


def refer(page: Page, position: types.Position, *, with_itself: bool) -> list[types.Location]:
    """Every place of the corpus that names the memo at a place, in order of paths."""
    memo = subject(page, position)
    if memo is None:
        return []
    desk = page.desk
    found = [types.Location(desk.address(memo.path), _TOP)] if with_itself else []
    for other, mention in find_mentions(desk, memo):
        place = other.sheet.range_between(mention.start, mention.end)
        found.append(types.Location(desk.address(other.path), place))
    return found


def find_mentions(desk: Desk, memo: Memo) -> Iterator[tuple[Page, Mention]]:
    """Every place that names `memo`, with the memo that it stands in.

    A memo is read for it only where its file holds the name, its title or its label.
    """
    for page in find_pages(desk, memo):
        for mention in page.mentions():
            if any(each.path == memo.path for each in mention.memos):
                yield page, mention


def find_pages(desk: Desk, *memos: Memo) -> Iterator[Page]:
    """The memos whose files hold a name of one of `memos`, in order of paths."""
    wanted = {_longest_word(name) for memo in memos for name in (memo.key, memo.title, memo.label) if name}
    for other in desk.corpus.memos:
        if other.path.endswith("/"):
            continue
        content = desk.root.content(other.path)
        if content is None:
            continue
        lowered = content.lower()
        if any(each in lowered for each in wanted):
            yield Page(desk, other.path, content)


def _longest_word(name: str) -> bytes:
    """What stands in a file wherever a name does, escaped or not, in lower case as bytes are."""
    words = "".join(sign if sign.isascii() and sign.isalnum() else " " for sign in name).split()
    return max(words, key=len, default=name).lower().encode("utf-8", "surrogateescape")
