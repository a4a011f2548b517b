"""Meaning, trust and storage of a corpus of memos: what a memo says, which memo replaced it, and whether it holds.

The names of `recall_core.api` are here too, loaded when they are asked for: `from recall_core import trusted_search`.
"""

__version__ = "0.1.0"

_OFFERED = (
    "Calibration", "HitVerdict", "SearchRefusedError", "TrustPolicy", "TrustResult", "apply_entailment",
    "load_calibration", "open_embedder", "open_entailer", "open_store", "trusted_search", "trusted_search_async",
)  # fmt: skip


def __getattr__(name: str) -> object:
    """What `recall_core.api` offers; it needs the extra `search`."""
    if name not in _OFFERED:
        raise AttributeError(f"module 'recall_core' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - importing this package has to stay cheap

    return getattr(import_module("recall_core.api"), name)
