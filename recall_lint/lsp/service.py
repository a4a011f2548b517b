"""What a server holds: the roots, the open documents, and what was last said of each."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lsprotocol import types

from recall_core.adapters.corpus_config import NAMES
from recall_core.errors import RecallError
from recall_lint.lsp.address import path_of
from recall_lint.lsp.findings import convert_findings
from recall_lint.lsp.page import Desk, Page
from recall_lint.lsp.root import Root
from recall_lint.lsp.roots import Roots
from recall_lint.lsp.sheet import Encoding, encode

DECIDING = frozenset({*NAMES, ".gitignore"})
"""The names of files that decide which files are memos, and where roots lie."""


@dataclass(frozen=True, slots=True)
class Client:
    """What the editor at the other end can do, and is set to."""

    encoding: Encoding = Encoding.UTF16
    takes_related: bool = False
    takes_tags: bool = False
    takes_markdown: bool = True
    takes_document_changes: bool = False
    takes_file_renames: bool = False
    takes_snippets: bool = False
    pulls: bool = False
    refreshes: bool = False
    watches: bool = False
    inlay_hints: bool = False


@dataclass(slots=True)
class Document:
    """A file that is open in the editor; `root` is None for one that lies in no corpus."""

    address: str
    text: str
    version: int | None
    root: Root | None = None
    path: str = ""
    said: list[types.Diagnostic] | None = None
    """The findings that the editor was last given; None before the first."""


@dataclass(slots=True)
class Service:
    """The open documents over the roots that they lie in. `troubles` are sentences that are still to be shown."""

    roots: Roots
    client: Client = field(default_factory=Client)
    documents: dict[str, Document] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)
    _told: set[str] = field(default_factory=set)

    def put(self, address: str, text: str, version: int | None) -> Document:
        """Take a document as it stands now."""
        document = self.documents.get(address)
        if document is None:
            document = self.documents[address] = Document(address, text, version)
            self._place(document)
        document.text, document.version = text, version
        if document.root is not None:
            document.root.put(document.path, encode(text))
        return document

    def drop(self, address: str) -> None:
        """Let go of a document that was closed."""
        document = self.documents.pop(address, None)
        if document is not None and document.root is not None:
            document.root.drop(document.path)

    def look_again(self, addresses: Iterator[str] | None = None) -> None:
        """Take the files on disk for changed; those at `addresses`, or any."""
        names = [(path_of(each) or each).rpartition("/")[2] for each in addresses or ()]
        if any(name in DECIDING for name in names):
            self._told.clear()
            self.roots.forget()
            for document in self.documents.values():
                self._place(document)
        for root in self.roots:
            root.forget_disk()

    def change_folders(self, folders: list[str]) -> None:
        """Take these for the editor's folders."""
        self.roots.folders = folders
        self.roots.forget()
        for document in self.documents.values():
            self._place(document)

    @property
    def versions(self) -> Mapping[str, int | None]:
        """The versions of the open documents by address."""
        return {address: each.version for address, each in self.documents.items()}

    def page(self, address: str) -> Page | None:
        """A document, or any other memo, as it stands; None where it is no memo or nothing can be said of it."""
        document = self.documents.get(address)
        root, path = (document.root, document.path) if document is not None else self.locate(address)
        if root is None or not root.is_memo(path):
            return None
        desk = self.desk(root)
        return None if desk is None else desk.page(path)

    def locate(self, address: str) -> tuple[Root | None, str]:
        """The root of a file and its path there."""
        full = path_of(address)
        if full is None:
            return None, ""
        try:
            root = self.roots.find(full)
        except RecallError as error:
            self.tell(error)
            return None, ""
        path = root.relative(full)
        return (None, "") if path is None else (root, path)

    def desk(self, root: Root) -> Desk | None:
        """A root with its judgment; None where there can be none."""
        try:
            return Desk(root, root.judge(), self.client.encoding)
        except RecallError as error:
            self.tell(error)
            return None

    def findings(self, document: Document) -> list[types.Diagnostic] | None:
        """The findings of a document; None where nothing can be said of it now."""
        if document.root is None or not document.root.is_memo(document.path):
            return []
        page = self.page(document.address)
        if page is None:
            return None
        client = self.client
        return convert_findings(page, with_related=client.takes_related, with_tags=client.takes_tags)

    def changed(self) -> Mapping[str, list[types.Diagnostic]]:
        """The findings by address of every document that the editor has not been given so."""
        changed = {}
        for document in self.documents.values():
            found = self.findings(document)
            if found is not None and found != document.said:
                changed[document.address] = document.said = found
        return changed

    def tell(self, error: RecallError) -> None:
        """Put down why nothing can be said, once."""
        sentence = f"{error.message}\n{error.help}" if error.help else error.message
        if sentence not in self._told:
            self._told.add(sentence)
            self.troubles.append(sentence)

    def _place(self, document: Document) -> None:
        document.root, document.path = self.locate(document.address)
        if document.root is not None:
            document.root.put(document.path, encode(document.text))
