"""What could be typed at a place: keys, names of memos, days and rules."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from lsprotocol import types

from recall_core.frontmatter.fence import VALIDITY_KEYS
from recall_core.frontmatter.scalar import write_scalar
from recall_core.model.escape import visible
from recall_core.model.memo import Memo
from recall_core.model.verdict import Verdict
from recall_lint.lsp.page import Desk, Page
from recall_lint.rules import RULES

MOST = 60
"""Names offered at once; the editor asks again with every letter."""
TRIGGERS = ["[", '"', "'", "-", ":", " ", "/", ","]

_RULE = re.compile(r"recall:[ \t]*ignore(?:-file)?[ \t]+(?:[\w-]+[ \t]*,[ \t]*)*([\w-]*)$")
_DECLINE = re.compile(r"recall:[ \t]*not-superseding[ \t]+(?P<open>\[\[|\"|)(?P<word>[^\"\]]*)$")
_WIKILINK = re.compile(r"(?P<open>\[\[)(?P<word>[^\[\]|#]*)$")
_KEY = re.compile(r"""(["']?)(?P<key>[A-Za-z_-]+)\1[ \t]*:""")
_ITEM = re.compile(r"""(?P<open>["']?\[\[|["']|)(?P<word>[^"'\[\],#]*)$""")
_FENCE = re.compile(r"(?:---|\.\.\.)[ \t]*")
_MEANS = {
    "supersedes": "the memos that this one replaces",
    "valid_from": "the first day that it holds on",
    "valid_until": "the last day that it holds on",
}


class Typed(NamedTuple):
    """What stands before the cursor: where it starts in its line, what opens the name, and the name so far."""

    start: int
    opening: str
    word: str


def complete(page: Page, position: types.Position) -> types.CompletionList:
    """What could be typed at a place of a memo; empty where nothing of ours can stand."""
    sheet = page.sheet
    offset = sheet.offset(position)
    number = sheet.table.line(offset)
    before = sheet.text[sheet.table.starts[number - 1] : offset]
    items = list(_find(page, number, before, offset))
    return types.CompletionList(is_incomplete=True, items=items)


def _find(page: Page, number: int, before: str, offset: int) -> Iterator[types.CompletionItem]:
    in_block = _is_in_block(page, number)
    if match := _RULE.search(before):
        yield from _rules(page, offset, match[1])
    elif match := _DECLINE.search(before):
        yield from _memos(page, offset, Typed(match.start("open"), match["open"], match["word"]), plain=True)
    elif not in_block:
        if match := _WIKILINK.search(before):
            yield from _memos(page, offset, Typed(match.start(), "[[", match["word"]), plain=True)
    elif re.fullmatch(r"[A-Za-z_]*", before):
        yield from _keys(page, offset, before)
    else:
        yield from _values(page, number, before, offset)


def _is_in_block(page: Page, number: int) -> bool:
    """Whether a line lies in a block that is opened and not closed above it, whatever stands in it so far."""
    lines = [page.sheet.line(each) for each in range(1, number)]
    return bool(lines) and lines[0].rstrip(" \t") == "---" and not any(map(_FENCE.fullmatch, lines[1:]))


def _values(page: Page, number: int, before: str, offset: int) -> Iterator[types.CompletionItem]:
    line, key = number, _KEY.match(before)
    while key is None and line > 2:
        line -= 1
        key = _KEY.match(page.sheet.line(line))
    if key is None:
        return
    value = before[key.end() :] if line == number else before
    if key["key"] == "supersedes":
        value = re.sub(r"^[ \t]*(?:-[ \t]+)?", "", value)
        match = _ITEM.search(value)
        if match is not None:
            word = match["word"]
            blanks = 0 if match["open"] else len(word) - len(word.lstrip())
            blanks = 0 if match["open"] else len(word) - len(word.lstrip())
            start = len(before) - len(match["open"]) - len(word) + blanks
            yield from _memos(page, offset, Typed(start, match["open"], word.strip()), plain=False)
    elif key["key"] in VALIDITY_KEYS and line == number:
        yield from _days(page, offset, value.strip(" \t\"'"), key["key"])


def _keys(page: Page, offset: int, word: str) -> Iterator[types.CompletionItem]:
    lines = page.sheet.text.splitlines()
    there = {match["key"] for line in lines if (match := _KEY.match(line)) is not None}
    for key in VALIDITY_KEYS:
        if key not in there:
            place = page.sheet.range_between(offset - len(word), offset)
            yield types.CompletionItem(
                key,
                kind=types.CompletionItemKind.Property,
                detail=_MEANS[key],
                text_edit=types.TextEdit(place, f"{key}: "),
            )


def _rules(page: Page, offset: int, word: str) -> Iterator[types.CompletionItem]:
    found = {each.code for each in page.desk.judgment.findings.get(page.path, ())}
    place = page.sheet.range_between(offset - len(word), offset)
    for rule in RULES:
        yield types.CompletionItem(
            rule.code,
            kind=types.CompletionItemKind.EnumMember,
            detail=rule.name,
            sort_text=f"{rule.code not in found:d}{rule.code}",
            text_edit=types.TextEdit(place, rule.code),
        )


def _days(page: Page, offset: int, word: str, key: str) -> Iterator[types.CompletionItem]:
    today = page.desk.judgment.evaluation.day
    quarter = _next_quarter(today)
    days = {"today": today, "end of quarter": quarter - timedelta(1), "end of year": date(today.year, 12, 31)}
    if key == "valid_from":
        year = date(today.year + 1, 1, 1)
        days = {"today": today, "start of the next quarter": quarter, "start of the next year": year}
    place = page.sheet.range_between(offset - len(word), offset)
    for rank, (words, day) in enumerate(days.items()):
        yield types.CompletionItem(
            day.isoformat(),
            kind=types.CompletionItemKind.Value,
            detail=words,
            sort_text=str(rank),
            filter_text=word or day.isoformat(),
            text_edit=types.TextEdit(place, day.isoformat()),
        )


def _next_quarter(day: date) -> date:
    month = (day.month - 1) // 3 * 3 + 4
    return date(day.year + month // 12, (month - 1) % 12 + 1, 1) if month > 12 else date(day.year, month, 1)


def _memos(page: Page, offset: int, typed: Typed, *, plain: bool) -> Iterator[types.CompletionItem]:
    """Names in the form that was begun; those in force first. `plain` is text that is no YAML."""
    desk, sheet = page.desk, page.sheet
    number = sheet.table.line(offset)
    start = sheet.table.starts[number - 1] + typed.start
    behind = sheet.line(number)[offset - sheet.table.starts[number - 1] :]
    closing = {"[[": "]]", '"[[': ']]"', "'[[": "]]'"}.get(typed.opening, typed.opening)
    end = offset + next((size for size in range(len(closing), 0, -1) if behind.startswith(closing[:size])), 0)
    place = sheet.range_between(start, end)
    written = sheet.text[start:offset]
    for rank, memo in enumerate(_likely(desk, typed.word, page.path)):
        text = _write(memo, typed, plain=plain)
        if text is None:
            continue
        verdict = desk.judgment.evaluation.verdict(memo)
        in_force = verdict is Verdict.OK
        words = "" if in_force else verdict.value.replace("_", " ")
        yield types.CompletionItem(
            visible(memo.key),
            label_details=types.CompletionItemLabelDetails(description=words or "in force"),
            kind=types.CompletionItemKind.File,
            tags=None if in_force else [types.CompletionItemTag.Deprecated],
            detail=" · ".join(filter(None, (visible(memo.title), visible(memo.path), words))),
            sort_text=f"{not in_force:d}{rank:03d}",
            filter_text=written or None,
            text_edit=types.TextEdit(place, text),
        )


def _write(memo: Memo, typed: Typed, *, plain: bool) -> str | None:
    """A memo's name between what opens it and what closes it; a folder stays where one was begun."""
    folder = memo.path.rpartition("/")[0]
    name = f"{folder}/{memo.key}" if "/" in typed.word and folder else memo.key
    if any("\ud800" <= character <= "\udfff" for character in name):
        return None
    if typed.opening.endswith("[["):
        if any(sign in name for sign in "[]|#\r\n"):
            return None
        if plain:
            return f"[[{name}]]"
        return write_scalar(f"[[{name}]]", "'" if typed.opening[0] == "'" else '"')
    if plain:
        return name if re.fullmatch(r"[\w./-]+", name) else write_scalar(name, '"')
    return write_scalar(name, typed.opening)


def _likely(desk: Desk, word: str, path: str) -> Sequence[Memo]:
    """The memos that a word may begin, hold or misspell, the likeliest first; those in force before the others."""
    wanted = word.rpartition("/")[2].strip().casefold()
    table = desk.judgment.name_table
    if not wanted:
        ranked = [(0, memo.path, memo) for _, _, memo in table]
    else:
        ranked = [
            (0 if key.startswith(wanted) else 1 if wanted in key else 2, key, memo)
            for key, title, memo in table
            if wanted in key or wanted in title
        ]
    ranked = [row for row in ranked if row[2].path != path]
    if len(ranked) < MOST // 4 and len(wanted) > 2:
        known = {row[2].path for row in ranked} | {path}
        alike = [memo for memo in _alike(desk, wanted) if memo.path not in known]
        ranked += [(3 + rank, memo.key, memo) for rank, memo in enumerate(alike)]
    is_replaced = desk.judgment.evaluation.edges.by_target
    ranked.sort(key=lambda row: (row[2].path in is_replaced, row[0], row[1]))
    return [memo for _, _, memo in ranked[:MOST]]


def _alike(desk: Desk, wanted: str) -> list[Memo]:
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - 20 ms, and only for what nothing holds

    table = desk.judgment.name_table
    found = process.extract(wanted, [key for key, _, _ in table], scorer=fuzz.partial_ratio, limit=20, score_cutoff=70)
    return [table[place][2] for _, _, place in found]
