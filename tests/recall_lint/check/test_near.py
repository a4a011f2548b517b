"""The cheap look for likenesses must hand on all that the careful one would find."""

from hypothesis import given
from hypothesis import strategies as st

from recall_core.prose.resemblance import Lookalikes
from recall_lint.check.near import find_near
from recall_lint.reading import read_file

WORDS = ["limits", "rate", "queue", "policy", "2024", "the", "of"]
STEMS = st.builds("{}{}".format, st.sampled_from(WORDS), st.sampled_from(["", "-v1", "-v2", "-2024-01-02", "_v3"]))
TITLES = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)


@given(st.dictionaries(STEMS, TITLES, min_size=1, max_size=8))
def test_a_look_at_few_finds_what_a_look_at_all_finds(corpus):
    memos = [read_file(f"{stem}.md", f"---\ntitle: x {title}\n---\n".encode()).memo for stem, title in corpus.items()]
    for memo in memos:
        assert Lookalikes(find_near(memo, memos)).find(memo) == Lookalikes(memos).find(memo)
