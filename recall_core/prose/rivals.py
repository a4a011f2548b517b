"""Claims that contradict each other, over the whole corpus."""

from collections.abc import Collection, Iterable, Sequence

from recall_core.prose.candidate import Candidate, Refusal


def hold_rivals(
    candidates: Sequence[Candidate], edges: Collection[tuple[str, str]] = frozenset()
) -> tuple[Candidate, ...]:
    """The candidates in their order, those that contradict others held back as rivals.

    Two memos that each claim to replace the other are rivals, and so are several that each plainly claim one target.
    The latter are none where one sentence names them together, or where one of them replaces the other, by what is told
    or by `edges`, the declared pairs of successor and target.
    """
    open_ = [each for each in candidates if not each.refusals]
    pairs = {(each.successor, each.target) for each in open_}
    mutual = {pair for pair in pairs if pair[::-1] in pairs or pair[::-1] in edges}
    claimed = _find_claimed([each for each in open_ if each.is_proof], pairs, edges)
    return tuple(_hold(each, mutual, claimed) for each in candidates)


def _hold(each: Candidate, mutual: set[tuple[str, str]], claimed: set[str]) -> Candidate:
    if each.refusals or ((each.successor, each.target) not in mutual and each.target not in claimed):
        return each
    return each._replace(refusals=(Refusal.RIVAL,), is_proof=False)


def _find_claimed(
    proofs: Iterable[Candidate], pairs: Collection[tuple[str, str]], edges: Collection[tuple[str, str]]
) -> set[str]:
    """The targets that unrelated memos plainly claim."""
    sentences: dict[str, dict[tuple[object, ...], set[str]]] = {}
    for each in proofs:
        by_place = sentences.setdefault(each.target, {})
        by_place.setdefault((each.evidence.path, each.evidence.span), set()).add(each.successor)
    claimed: set[str] = set()
    for target, by_place in sentences.items():
        groups = [set(named) for named in by_place.values()]
        successors = set().union(*groups)
        if len(successors) < 2:
            continue
        # Only pairs of this target's claimants: their number is that of the claims, not of the corpus.
        groups += [
            {one, other} for one in successors for other in successors if (one, other) in pairs or (one, other) in edges
        ]
        if len(_join(groups)) > 1:
            claimed.add(target)
    return claimed


def _join(groups: Sequence[set[str]]) -> list[set[str]]:
    """The groups with those that share a member made one."""
    joined: list[set[str]] = []
    for group in groups:
        apart = [other for other in joined if other.isdisjoint(group)]
        together = [other for other in joined if not other.isdisjoint(group)]
        joined = [*apart, group.union(*together)]
    return joined
