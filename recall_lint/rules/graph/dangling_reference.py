"""A reference names no memo.

## What it does
Reports a `supersedes` reference to which no memo of the corpus answers: no file has this name, or the value is a web
address, leads out of the corpus, or holds no name at all. Where the cause is known it is said: another letter case, a
file that this change renames or deletes, or one that the configuration leaves out.

## Why is this bad?
The memo that was to be replaced stays in force, and nobody notices. A search answers from it as before.

## Example
`supersedes: limit-v1` while the memo is called `limits-v1.md`.

## Use instead
`supersedes: limits-v1`. A reference is a file name, with or without `.md`. Letter case counts, a folder does not.
Several memos are a list: `supersedes: [limits-v1, quota-v1]`.

## Fix safety
Safe where the memo is certain: the name differs in letter case only, Git saw the rename in this change, or the value is
a list of memos with commas. Unsafe for a number, title or label that fits one memo, such as `ADR-12` for
`0012-limits.md`. A name that only resembles another is shown and never written.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, assert_never

from recall_core.frontmatter.reference import build_reference
from recall_core.graph.corpus import Naming
from recall_core.model.memo import Memo, Reference, Style
from recall_core.model.span import TextEdit
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Related, Severity
from recall_lint.inspection import Absence, Absent, Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.absent_files import Named, find_absent, of_kind, possible_keys
from recall_lint.rules.graph.suggestions import Suggestions
from recall_lint.rules.graph.wording import as_written, list_names, shorten
from recall_lint.rules.graph.written_form import rename, write_like

RULE = Rule("RL201", "dangling-reference", Severity.ERROR)

_MOST_PARTS: Final = 50
_MOST_GUESSES: Final = 10


class _Cause(NamedTuple):
    """Why a reference names nothing (behind "names no memo"), and what to do about it."""

    why: str = ""
    help: str = ""
    related: tuple[Related, ...] = ()
    fix: Fix | None = None


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each reference without a memo, except those of which RL002 speaks."""
    finder = _CauseFinder(inspection)
    for memo, reference, resolution in inspection.resolutions:
        match resolution.naming:
            case Naming.MISSING:
                cause = finder.explain_missing(memo, reference)
            case Naming.NOTHING:
                cause = finder.explain_nothing(memo, reference)
            case Naming.OUTSIDE:
                cause = _explain_outside(reference)
            case Naming.ONE | Naming.SELF | Naming.SEVERAL | Naming.PART | Naming.PLACEHOLDER:
                continue
            case _:
                assert_never(resolution.naming)
        if cause is not None:
            message = f"{as_written(reference)} names no memo{cause.why}"
            yield RULE.at(memo.path, reference.span, message, help=cause.help, related=cause.related, fix=cause.fix)


def _explain_outside(reference: Reference) -> _Cause:
    why = ": it is a web address" if "://" in reference.value else ": it leads out of the corpus"
    return _Cause(why, "write the file name of a memo in this corpus")


class _CauseFinder:
    """Looks for what an author meant, the surest way first."""

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection
        self._corpus = inspection.corpus
        self._suggestions = Suggestions(inspection.corpus)

    def explain_missing(self, memo: Memo, reference: Reference) -> _Cause | None:
        """The cause, or None where the file is there and only untracked (RL002)."""
        absent = find_absent(self._inspection, reference)
        if of_kind(absent.files, Absence.UNTRACKED):
            return None
        return (
            self._explain_letter_case(memo, reference)
            or self._explain_absence(memo, reference, absent)
            or self._explain_commas(memo, reference)
            or self._explain_number(memo, reference)
            or self._explain_title(memo, reference)
            or self._guess(memo, reference)
        )

    def explain_nothing(self, memo: Memo, reference: Reference) -> _Cause:
        """The cause of a value without a name; `#12` is a number."""
        found = self._explain_number(memo, reference)
        return found or _Cause(": it holds no name", "write the file name of the memo that this one replaces")

    def _explain_letter_case(self, memo: Memo, reference: Reference) -> _Cause | None:
        for key in possible_keys(reference):
            if matches := self._corpus.memos_with_key_in_any_case(key):
                why = f": letter case counts, and the name is {list_names(sorted({match.key for match in matches}))}"
                if len(matches) > 1:
                    return _Cause(why, "write the one you mean", _could_be(matches))
                return self._offer(memo, reference, matches[0], why, Applicability.SAFE, whole=key == reference.key)
        return None

    def _explain_absence(self, memo: Memo, reference: Reference, absent: Named) -> _Cause | None:
        files = absent.files
        if renamed := of_kind(files, Absence.RENAMED):
            return self._explain_rename(memo, reference, renamed, whole=absent.whole)
        if deleted := of_kind(files, Absence.DELETED):
            why = f": {shorten(deleted[0].path)} is not in this commit; it was deleted"
            return _Cause(why, "remove the reference, or keep the file: a memo that is replaced stays in the corpus")
        if excluded := of_kind(files, Absence.EXCLUDED):
            first = excluded[0]
            detail = f" ({shorten(first.detail)})" if first.detail else ""
            why = f": the configuration excludes {shorten(first.path)}{detail}"
            return _Cause(why, "name a memo of the corpus, or change `include` and `exclude`")
        return None

    def _explain_rename(self, memo: Memo, reference: Reference, renamed: Sequence[Absent], *, whole: bool) -> _Cause:
        moves = [f"{shorten(file.path)} was renamed to {shorten(file.detail)}" for file in renamed]
        why = f": {' and '.join(moves[:2])} in this change"
        target = self._corpus.memo(renamed[0].detail) if len(renamed) == 1 else None
        if target is not None:
            return self._offer(memo, reference, target, why, Applicability.SAFE, whole=whole)
        related = tuple(Related(file.detail, "could be this one") for file in renamed) if len(renamed) > 1 else ()
        return _Cause(why, "write the new name of the memo that this one replaces", related)

    def _explain_commas(self, memo: Memo, reference: Reference) -> _Cause | None:
        """A list in one text: `limits-v1, quota-v1`. Lists in lists are flattened, so a flow list fits anywhere."""
        parts = [part.strip() for part in reference.value.split(",", _MOST_PARTS)]
        parts = [part for part in parts if part]
        if not 1 < len(parts) <= _MOST_PARTS:
            return None
        items = []
        for part in parts:
            one = build_reference("", part, reference.span, Style.PLAIN)
            if self._corpus.resolve(memo, one).naming is not Naming.ONE:
                return None
            quoted = reference.style is Style.QUOTED
            items.append(write_like(reference, part) if quoted else write_like(one, part))
        if not all(items):
            return None
        text = ", ".join(item for item in items if item)
        # Another reference in the same line: this is an item of a flow list already.
        beside = any(other is not reference and other.span.line == reference.span.line for other in memo.supersedes)
        text = text if beside else f"[{text}]"
        fix = Fix(Applicability.SAFE, (TextEdit(reference.span, text),))
        return _Cause(f": it is a list of {len(parts)} memos in one text", f"write a list: `{shorten(text)}`", fix=fix)

    def _explain_number(self, memo: Memo, reference: Reference) -> _Cause | None:
        found = self._suggestions.by_number(_bare(reference))
        if found or not reference.name:
            return self._offer_guess(memo, reference, found, whole=True)
        return self._offer_guess(memo, reference, self._suggestions.by_number(reference.name))

    def _explain_title(self, memo: Memo, reference: Reference) -> _Cause | None:
        return self._offer_guess(memo, reference, self._suggestions.by_title(_bare(reference)), whole=True)

    def _offer_guess(
        self, memo: Memo, reference: Reference, found: Sequence[Memo], *, whole: bool = False
    ) -> _Cause | None:
        others = [match for match in found[: _MOST_GUESSES + 1] if match is not memo]
        if not others:
            return None
        if len(found) > _MOST_GUESSES:
            return _Cause(help=f"write the file name: {len(found)} memos have this number or title")
        if len(others) > 1:
            home = memo.path.rpartition("/")[0]  # each folder may count for itself
            others.sort(key=lambda match: match.path.rpartition("/")[0] != home)
            names = [match.key for match in others]
            return _Cause(help=f"did you mean {list_names(names)}? Write the file name", related=_could_be(others))
        return self._offer(memo, reference, others[0], "", Applicability.UNSAFE, whole=whole)

    def _guess(self, memo: Memo, reference: Reference) -> _Cause:
        keys = [key for key in self._suggestions.resembling(reference.name) if key != memo.key]
        if not keys:
            return _Cause(help="write the file name of a memo in this corpus")
        if len(keys) > 1:
            return _Cause(help=f"did you mean {list_names(keys)}?")
        target = self._corpus.memos_with_key(keys[0])[0]
        return self._offer(memo, reference, target, "", Applicability.DISPLAY)

    def _offer(
        self,
        memo: Memo,
        reference: Reference,
        target: Memo,
        why: str,
        applicability: Applicability,
        *,
        whole: bool = False,
    ) -> _Cause:
        """The cause with a fix that names `target`, where a reference can name it without bringing another finding."""
        question = applicability is not Applicability.SAFE
        wanted = f"did you mean `{shorten(target.key)}`?" if question else f"write `{shorten(target.key)}`"
        new = rename(reference, target, memo.path, whole=whole)
        resolution = None if new is None else self._corpus.resolve(memo, new)
        if new is None or resolution is None or target not in resolution.memos:
            return _Cause(why, wanted)
        text = shorten(new.written)
        wanted = f"did you mean `{text}`?" if question else f"write `{text}`"
        match resolution.naming:
            case Naming.ONE:
                return _Cause(why, wanted, fix=Fix(applicability, (TextEdit(reference.span, new.written),)))
            case Naming.PART:
                shown = Fix(Applicability.DISPLAY, (TextEdit(reference.span, new.written),))
                return _Cause(why, wanted, fix=shown)
            case Naming.SELF:
                return _Cause(why, "name the memo that this one replaces, or remove the reference")
            case _:
                return _Cause(why, f"rename `{shorten(target.key)}` first: several memos have this name")


def _bare(reference: Reference) -> str:
    """The text of a reference without brackets and suffix."""
    text = reference.value.strip("[] \t")
    return text[:-3] if text[-3:].lower() == ".md" else text


def _could_be(memos: Sequence[Memo]) -> tuple[Related, ...]:
    return tuple(Related(match.path, "could be this one") for match in memos)
