"""A sentence says that a memo is replaced, and no metadata says so.

## What it does
Reports a sentence that speaks of replacement ("supersedes", "replaced by", "obsoletes", …) and names another memo by
link, file name or stem, while neither of the two memos declares an edge between them. Code, comments, block quotes,
questions and direct negations are passed over. A sentence about two other memos is fine when their edge is declared.
Nothing is asked in memos that catalogue others (`index-files`: `README`, `INDEX`, `CHANGELOG`, `_index`, `MEMORY`).

## Why is this bad?
People see that the old memo is gone, tools do not: to a search it stays in force.

## Example
```markdown
This memo supersedes [[limits-v1]].
```

## Use instead
Declare it in the metadata of the memo that replaces the other:
```yaml
supersedes: limits-v1
```
If this memo replaces no such thing, say so once for the memo:
```markdown
<!-- recall: not-superseding limits-v1 both hold, for two regions -->
```

## Fix safety
No fix: what a sentence means is for its author to say.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

from recall_core.frontmatter.reference import is_outside, normalise_key
from recall_core.frontmatter.scalar import write_scalar
from recall_core.graph.corpus import Naming
from recall_core.model.memo import Memo
from recall_core.prose.closures import Closure
from recall_core.prose.markers import Form, find_marks, lower_in_place
from recall_lint.diagnostic import Diagnostic, Related, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import LONGEST_LIST, list_names, shorten
from recall_lint.rules.prose.declined import find_declined
from recall_lint.suppress import render_target

RULE = Rule("RL301", "undeclared-closure", Severity.WARNING)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each sentence that names memos with which nothing is declared."""
    declared = _Declared(inspection)
    for path, closures in inspection.closures.items():
        memo = inspection.corpus.memo(path)
        if memo is None or not memo.readable:
            continue  # what an unreadable memo declares is not known
        declined = _find_declined(inspection, memo)
        before = None
        for closure in closures:
            if before is not None and (before.sentence, before.mentions) == (closure.sentence, closure.mentions):
                continue  # another closure word of the same sentence
            before = closure
            named = _find_named(inspection, memo, closure)
            open_ = declared.without_declared(memo, named) if named else []
            if open_ := [other for other in open_ if other.path not in declined]:
                yield _report(memo, closure, open_)


def _find_named(inspection: Inspection, memo: Memo, closure: Closure) -> dict[str, Memo]:
    """The other memos that a sentence names for certain, by path, in order of mention."""
    named: dict[str, Memo] = {}
    for mention in closure.mentions:
        if is_outside(mention.name, memo.path):
            continue
        found = inspection.corpus.memos_with_key(normalise_key(mention.name))
        if len(found) == 1 and found[0] is not memo:
            named[found[0].path] = found[0]
    return named


def _find_declined(inspection: Inspection, memo: Memo) -> set[str]:
    """The paths of the memos that this one says it does not replace."""
    targets = [decline.target for decline in inspection.declined.get(memo.path, ()) if decline.target is not None]
    return {other.path for target in targets for other in find_declined(inspection.corpus, memo, target)}


class _Declared:
    """The pairs of memos of which metadata says something. Built when the first sentence needs it."""

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection

    @cached_property
    def _related(self) -> dict[str, set[str]]:
        """For each memo the others that it names in `supersedes`, in part or in whole, or that name it."""
        related: dict[str, set[str]] = {}
        inspection = self._inspection
        pairs = [(edge.successor.path, edge.target.path) for edge in inspection.evaluation.edges.all]
        pairs += [(memo.path, match.path) for memo, _, found in inspection.named(Naming.PART) for match in found.memos]
        for one, other in pairs:
            related.setdefault(one, set()).add(other)
            related.setdefault(other, set()).add(one)
        return related

    def without_declared(self, memo: Memo, named: dict[str, Memo]) -> list[Memo]:
        """The named memos without an edge to `memo`, nor to another one that the sentence names."""
        involved = {memo.path, *named}
        nothing: set[str] = set()
        return [other for path, other in named.items() if self._related.get(path, nothing).isdisjoint(involved)]


def _report(memo: Memo, closure: Closure, others: Sequence[Memo]) -> Diagnostic:
    names = [other.key for other in others]
    sentence = lower_in_place(closure.sentence)
    passive = any(mark.form is Form.PASSIVE for mark in find_marks(sentence, (closure.family,)))
    if passive and " by this " not in sentence:
        wanted = f"if {list_names(names)} replaces this memo, {_declare(others[0], [memo])} there"
    else:
        wanted = f"if this memo replaces {list_names(names)}, {_declare(memo, others)}"
    otherwise = f"if it means something else, `<!-- recall: not-superseding {shorten(render_target(names[0]))} -->`"
    if len(names) > 1:
        otherwise += ", and so for each"
    return RULE.at(
        memo.path,
        closure.span,
        f"this sentence speaks of replacement and names {list_names(names, 'and')}, but nothing is declared",
        help=f"{wanted}; {otherwise}",
        related=(Related(other.path, "named here") for other in others),
    )


def _declare(declarer: Memo, targets: Sequence[Memo]) -> str:
    """What to type in the memo that replaces the others."""
    names = [write_scalar(memo.key) or memo.key for memo in targets[:LONGEST_LIST]]
    if declarer.supersedes:
        return f"add {list_names(names, 'and')} to `supersedes`"
    value = names[0] if len(names) == 1 else f"[{', '.join(names)}]"
    return f"declare `supersedes: {shorten(value)}`"
