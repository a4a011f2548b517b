"""Which memos a declined question means."""

from recall_core.frontmatter.reference import is_outside
from recall_core.graph.corpus import Corpus
from recall_core.model.memo import Memo, Reference


def find_declined(corpus: Corpus, memo: Memo, target: Reference) -> tuple[Memo, ...]:
    """The other memos that `memo` says it does not replace: one, several that share the name, or none.

    A name with a section means the whole memo here: the question is never about less.
    """
    if is_outside(target.value, memo.path):
        return ()
    found = corpus.memos_with_key(target.key) if target.key else ()
    if not found and target.name:
        found = corpus.memos_with_key(target.name)
    return tuple(other for other in found if other is not memo)
