"""Whether a memo can be read as its author meant it."""
