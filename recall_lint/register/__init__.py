"""A corpus that was read before, as text to be searched: a run over a few memos reads back only what concerns them."""
