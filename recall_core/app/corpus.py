"""The corpus as the linter sees it, read for an index: each memo with its text, or with the reason why it has none."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from recall_core.app.secrets import find_secret
from recall_core.frontmatter.read import decode, read_memo, refuse_file
from recall_core.generation.manifest import Source
from recall_core.model.escape import encodable
from recall_core.model.memo import Memo, ProblemKind
from recall_core.ports.corpus import ReadFailure
from recall_core.ports.view import CorpusView

_REFUSING = frozenset(
    {
        ProblemKind.UNREADABLE_FILE,
        ProblemKind.UNCLOSED_BLOCK,
        ProblemKind.INVALID_BLOCK,
        ProblemKind.DUPLICATE_VALIDITY_KEY,
    }
)


@dataclass(frozen=True, slots=True)
class Refused:
    """A memo that is not indexed: where, and why, in words for its author."""

    path: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class ReadMemo:
    """A memo as it was read. `text` is its whole text without BOMs, empty where `refused` says why there is none."""

    memo: Memo
    content_hash: str
    size: int
    text: str = ""
    refused: Refused | None = None


def list_sources(view: CorpusView) -> tuple[list[Source], int]:
    """What a manifest of this corpus holds, in the order of its paths, and the bytes of all of it."""
    sources, size = [], 0
    for entry, content in view.source.read(view.memos):
        sources.append(Source(encodable(entry.path), _hash(content)))
        size += 0 if isinstance(content, ReadFailure) else len(content)
    sources += [Source(encodable(path), _hash(ReadFailure(reason))) for path, reason in view.unlisted]
    return sorted(sources), size


def read_memos(view: CorpusView, paths: Iterable[str] | None = None) -> Iterator[ReadMemo]:
    """Every memo of the corpus, or those at `paths`: first what can be listed, by path, then what cannot.

    Never raises for what a file holds: a file that is no UTF-8, holds a NUL, cannot be read or whose metadata is broken
    is refused by itself.
    """
    wanted = None if paths is None else frozenset(paths)
    entries = [entry for entry in view.memos if wanted is None or encodable(entry.path) in wanted]
    for entry, content in view.source.read(entries):
        yield _read(encodable(entry.path), content)
    for path, reason in view.unlisted:
        if wanted is None or encodable(path) in wanted:
            yield _read(encodable(path), ReadFailure(reason))


def _read(path: str, content: bytes | ReadFailure) -> ReadMemo:
    digest = _hash(content)
    if isinstance(content, ReadFailure):
        memo = refuse_file(path, content.reason)
        return ReadMemo(memo, digest, 0, refused=Refused(path, 1, f"it cannot be read: {content.reason}"))
    memo = read_memo(path, content)
    text = decode(content) or ""
    if (secret := find_secret(text)) is not None:
        reason = f"it seems to hold {secret.what}; take it out, and have whoever issued it revoke it"
        return ReadMemo(_bare(memo, secret.line), digest, len(content), refused=Refused(path, secret.line, reason))
    if not memo.is_valid:
        return ReadMemo(memo, digest, len(content), refused=_explain(memo))
    return ReadMemo(memo, digest, len(content), text)


def _bare(memo: Memo, line: int) -> Memo:
    """A memo that holds a secret: its edges and dates alone, and not even those where it stands in the metadata."""
    if line <= memo.block_end:
        return Memo(memo.path, memo.key, readable=False)
    return replace(memo, title="", label="", problems=(), keys=())


def _explain(memo: Memo) -> Refused:
    for problem in memo.problems:
        if not memo.readable and problem.kind in _REFUSING:
            return Refused(memo.path, problem.span.line, problem.message)
    for name, bound in (("valid_from", memo.valid_from), ("valid_until", memo.valid_until)):
        if bound is not None and bound.day is None:
            return Refused(memo.path, bound.span.line, f"`{name}: {bound.written}` is no real YYYY-MM-DD day")
    line = memo.valid_until.span.line if memo.valid_until is not None else 1
    return Refused(memo.path, line, "its validity window is empty: `valid_from` comes after `valid_until`")


def _hash(content: bytes | ReadFailure) -> str:
    # What cannot be read has no bytes; its reason stands for them, so that a file that becomes readable is a change.
    data = b"unreadable\0" + content.reason.encode("utf-8", "replace") if isinstance(content, ReadFailure) else content
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
