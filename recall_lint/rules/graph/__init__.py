"""Whether the supersession graph of the corpus holds together."""
