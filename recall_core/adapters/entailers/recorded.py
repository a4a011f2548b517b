"""Decisions that were made once and kept: for tests, and for comparing judges without asking them again."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from recall_core.errors import EntailerError, UsageError
from recall_core.generation.digest import digest
from recall_core.model.escape import visible
from recall_core.trust.entail import Decision, Entailer


class RecordedEntailer:
    """Answers what was recorded, by question and text, and nothing else."""

    def __init__(self, decisions: Mapping[str, Decision]) -> None:
        self._decisions = dict(decisions)

    def entail(self, query: str, texts: Sequence[str]) -> list[Decision]:
        """One decision for each text. Raises EntailerError for a pair that was never decided."""
        try:
            return [self._decisions[name_pair(query, text)] for text in texts]
        except KeyError:
            raise EntailerError(
                "nothing was recorded for this question and text", help="record it with the entailer that decides"
            ) from None


class RecordingEntailer:
    """Asks another entailer, and keeps what it decides."""

    def __init__(self, inner: Entailer) -> None:
        self._inner = inner
        self.decisions: dict[str, Decision] = {}

    def entail(self, query: str, texts: Sequence[str]) -> Sequence[Decision]:
        """What the other decides."""
        decided = self._inner.entail(query, texts)
        self.decisions |= {name_pair(query, text): each for text, each in zip(texts, decided, strict=False)}
        return decided

    def dump(self) -> str:
        """The content of a file for `load_recorded`: digests and decisions, no text of a memo."""
        rows = {key: [each.is_entailed, each.score] for key, each in sorted(self.decisions.items())}
        return f"{json.dumps({'version': 1, 'decisions': rows}, indent=1)}\n"


def name_pair(query: str, text: str) -> str:
    """The digest of a question and a text together."""
    return digest([query, text])


def load_recorded(path: str) -> RecordedEntailer:
    """The decisions of a file that `RecordingEntailer.dump` wrote. Raises UsageError where it cannot be read as one."""
    try:
        with open(path, encoding="utf-8") as file:
            value: Any = json.load(file)
        rows = {str(key): _read(row) for key, row in value["decisions"].items()} if value["version"] == 1 else None
    except OSError as error:
        raise UsageError(f"`{visible(path)}` cannot be read: {error.strerror}") from error
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(f"`{visible(path)}` holds no recorded decisions") from error
    if rows is None:
        raise UsageError(f"`{visible(path)}` holds recorded decisions of another version")
    return RecordedEntailer(rows)


def _read(row: Any) -> Decision:
    is_entailed, score = row
    if not isinstance(is_entailed, bool) or isinstance(score, bool) or not isinstance(score, int | float):
        raise ValueError("no decision")  # noqa: TRY004 - a value of a file, not of a caller
    return Decision(is_entailed, float(score))
