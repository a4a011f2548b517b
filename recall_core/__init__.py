"""Meaning, trust and storage of a corpus of memos: what a memo says, which memo replaced it, and whether it holds."""

__version__ = "0.1.0"
