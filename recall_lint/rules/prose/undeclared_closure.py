"""A sentence says that a memo is replaced, and no metadata says so.

## What it does
Reports the open questions of the corpus, the same that `recall check` puts: a sentence tells that its memo replaces
another one, or is replaced by it ("supersedes", "replaced by", "obsoletes", …), and neither memo declares the edge or
declines it. The other memo is named by link, file name, title or number. What holds a sentence back there is passed
over here: code, quotes, negations, conditions, plans, parts of a memo, what two memos contest; `recall check FILE`
lists that with the reason. Of several sentences that tell the same the plainest is reported. Nothing is asked in memos
that catalogue others (`index-files`: `README`, `INDEX`, `CHANGELOG`, `_index`, `MEMORY`).

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
from itertools import groupby

from recall_core.frontmatter.scalar import write_scalar
from recall_core.model.memo import Memo
from recall_core.model.span import Span
from recall_core.prose.candidate import Candidate
from recall_lint.diagnostic import Diagnostic, Related, Severity
from recall_lint.inspection import Inspection
from recall_lint.rule import Rule
from recall_lint.rules.graph.wording import LONGEST_LIST, list_names, shorten
from recall_lint.suppress import render_target

RULE = Rule("RL301", "undeclared-closure", Severity.WARNING)


def check(inspection: Inspection) -> Iterator[Diagnostic]:
    """One finding for each place that asks, whatever the number of memos it asks about."""
    for (path, span), questions in groupby(inspection.find_questions(), _place):
        memo = inspection.corpus.memo(path)
        if memo is not None:
            yield _report(inspection, memo, span, list(questions))


def _place(question: Candidate) -> tuple[str, Span]:
    return question.evidence.path, question.evidence.span


def _report(inspection: Inspection, memo: Memo, span: Span, questions: Sequence[Candidate]) -> Diagnostic:
    replaced = _memos(inspection, (each.target for each in questions if each.successor == memo.path))
    replacing = _memos(inspection, (each.successor for each in questions if each.target == memo.path))
    wanted = []
    if replaced:
        names = list_names([other.key for other in replaced])
        wanted.append(f"if this memo replaces {names}, {_declare(memo, replaced)}")
    if replacing:
        names = list_names([other.key for other in replacing])
        wanted.append(f"if {names} replaces this memo, {_declare(replacing[0], [memo])} there")
    others = (*replaced, *replacing)
    declined = f"`<!-- recall: not-superseding {shorten(render_target(others[0].key))} -->`"
    otherwise = f"if it means something else, {declined}" + (", and so for each" if len(others) > 1 else "")
    return RULE.at(
        memo.path,
        span,
        f"this sentence speaks of replacement and names {list_names([other.key for other in others], 'and')}, "
        "but nothing is declared",
        help="; ".join([*wanted, otherwise]),
        related=(Related(other.path, "named here") for other in others),
    )


def _memos(inspection: Inspection, paths: Iterator[str]) -> list[Memo]:
    return [memo for path in dict.fromkeys(paths) if (memo := inspection.corpus.memo(path)) is not None]


def _declare(declarer: Memo, targets: Sequence[Memo]) -> str:
    """What to type in the memo that replaces the others."""
    names = [write_scalar(memo.key) or memo.key for memo in targets[:LONGEST_LIST]]
    if declarer.supersedes:
        return f"add {list_names(names, 'and')} to `supersedes`"
    value = names[0] if len(names) == 1 else f"[{', '.join(names)}]"
    return f"declare `supersedes: {shorten(value)}`"
