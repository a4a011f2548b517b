"""A source under text that is not on disk yet: standard input, or an editor's buffers."""

from collections.abc import Iterable, Iterator, Mapping

from recall_core.adapters.cache import digest
from recall_core.ports.corpus import CorpusSource, Entry, Listing, ReadFailure

_MARK = "buffer-"


class OverlaySource:
    """`source`, with the files of `buffers` (by path) as given there; new ones are added, as not yet tracked."""

    def __init__(self, source: CorpusSource, buffers: Mapping[str, bytes]) -> None:
        self._source, self._buffers = source, buffers
        self.kind = source.kind

    def listing(self) -> Listing:
        """The entries below, those of the buffers with an identity of their own."""
        below = self._source.listing()
        entries = {entry.path: entry for entry in below.entries}
        for path, data in self._buffers.items():
            known = entries.get(path, Entry(path, "", tracked=False))
            entries[path] = known._replace(identity=_MARK + digest(data))
        return Listing(sorted(entries.values(), key=lambda entry: entry.path), below.failures)

    def read(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, bytes | ReadFailure]]:
        """The buffers' bytes where there are any, else the source's."""
        wanted = list(entries)
        below = self._source.read([entry for entry in wanted if entry.path not in self._buffers])
        for entry in wanted:
            if entry.path in self._buffers:
                yield entry, self._buffers[entry.path]
            else:
                yield next(below)
