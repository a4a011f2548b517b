"""The server: the messages of the protocol, each answered by the module that is about it."""

import asyncio
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from recall_core import __version__
from recall_lint.lsp import navigation, outline
from recall_lint.lsp.actions import KINDS, Actions
from recall_lint.lsp.address import path_of
from recall_lint.lsp.completion import TRIGGERS, complete
from recall_lint.lsp.findings import SOURCE
from recall_lint.lsp.follow import follow_files, prepare_rename, rename_memo
from recall_lint.lsp.roots import Roots
from recall_lint.lsp.service import DECIDING, Client, Service
from recall_lint.lsp.sheet import Encoding

QUIET = 0.08
"""Seconds without a keystroke after which findings are sent."""


class Server(LanguageServer):
    """A language server over a service. Texts come whole: memos are small, and no place can be counted differently."""

    def __init__(self, cache_folder: str) -> None:
        super().__init__(SOURCE, __version__, types.TextDocumentSyncKind.Full)
        self.service = Service(Roots(cache_folder))
        self._due: asyncio.TimerHandle | None = None

    def start(self, params: types.InitializeParams) -> None:
        """Take what the editor says of itself."""
        service = self.service
        service.client = read_client(params, Encoding(self.workspace.position_encoding))
        addresses = [folder.uri for folder in params.workspace_folders or ()]
        if not addresses and params.root_uri:
            addresses = [params.root_uri]
        folders = [path for address in addresses if (path := path_of(address))]
        if not folders and params.root_path:
            folders = [params.root_path]
        service.change_folders(folders)

    def schedule(self, delay: float = QUIET) -> None:
        """Send the findings that have changed once it was quiet for a moment."""
        if self._due is not None:
            self._due.cancel()
        self._due = asyncio.get_running_loop().call_later(delay, self._send)

    def _send(self) -> None:
        self._due = None
        changed = self.service.changed()
        if not self.service.client.pulls:
            for address, found in changed.items():
                document = self.service.documents[address]
                self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(address, found, document.version))
        elif changed and self.service.client.refreshes:
            self.workspace_diagnostic_refresh(None)
        self.say_troubles()

    def say_troubles(self) -> None:
        """Show why nothing can be said."""
        for sentence in self.service.troubles:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"recall: {sentence}"))
        self.service.troubles.clear()

    def watch(self) -> None:
        """Ask the editor to tell of files that change outside of it."""
        patterns = ("**/*.[mM][dD]", *(f"**/{name}" for name in sorted(DECIDING)), "**/.git/HEAD", "**/.git/index")
        watchers = [types.FileSystemWatcher(pattern) for pattern in patterns]
        registration = types.Registration(
            "recall-files",
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
            types.DidChangeWatchedFilesRegistrationOptions(watchers),
        )
        self.client_register_capability(types.RegistrationParams([registration]))


def read_client(params: types.InitializeParams, encoding: Encoding) -> Client:
    """What the editor says that it can do."""
    text = params.capabilities.text_document or types.TextDocumentClientCapabilities()
    workspace = params.capabilities.workspace or types.WorkspaceClientCapabilities()
    published = text.publish_diagnostics
    edit = workspace.workspace_edit
    watched = workspace.did_change_watched_files
    hover = text.hover.content_format if text.hover is not None else None
    completion = text.completion.completion_item if text.completion is not None else None
    pulled = text.diagnostic
    options = params.initialization_options
    return Client(
        encoding=encoding,
        takes_related=bool(
            (published and published.related_information) or (pulled and getattr(pulled, "related_information", False))
        ),
        takes_tags=bool((published and published.tag_support) or (pulled and getattr(pulled, "tag_support", None))),
        takes_markdown=hover is None or types.MarkupKind.Markdown in hover,
        takes_document_changes=bool(edit and edit.document_changes),
        takes_file_renames=bool(edit and types.ResourceOperationKind.Rename in (edit.resource_operations or ())),
        takes_snippets=bool(completion and completion.snippet_support),
        pulls=pulled is not None,
        refreshes=bool(workspace.diagnostics and workspace.diagnostics.refresh_support),
        watches=bool(watched and watched.dynamic_registration),
        inlay_hints=_is_set(options, "inlayHints"),
    )


def _is_set(options: Any, name: str) -> bool:
    """Whether a setting is on; settings may come in a table named after us."""
    for _ in range(2):
        if not isinstance(options, dict):
            return False
        if name in options:
            return options[name] is True
        options = options.get(SOURCE)
    return False


def build_server(cache_folder: str) -> Server:
    """A server that keeps what it reads below `cache_folder`, where there is no Git folder to keep it in."""
    server = Server(cache_folder)
    _register_documents(server)
    _register_findings(server)
    _register_actions(server)
    _register_typing(server)
    _register_navigation(server)
    _register_outline(server)
    _register_renaming(server)
    return server


def _register_documents(server: Server) -> None:
    service = server.service

    @server.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        server.start(params)

    @server.feature(types.INITIALIZED)
    def initialized(_: types.InitializedParams) -> None:
        if service.client.watches:
            server.watch()
        service.roots.open_folders()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        opened = params.text_document
        service.look_again()
        service.put(opened.uri, opened.text, opened.version)
        server.schedule(0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        address = params.text_document.uri
        service.put(address, server.workspace.get_text_document(address).source, params.text_document.version)
        server.schedule()

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(_: types.DidSaveTextDocumentParams) -> None:
        service.look_again()
        server.schedule(0)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        address = params.text_document.uri
        service.drop(address)
        if not service.client.pulls:
            server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(address, []))
        server.schedule()

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_files(params: types.DidChangeWatchedFilesParams) -> None:
        service.look_again(change.uri for change in params.changes)
        server.schedule()

    @server.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_folders(_: types.DidChangeWorkspaceFoldersParams) -> None:
        folders = [path for address in server.workspace.folders if (path := path_of(address))]
        service.change_folders(folders)
        server.schedule()


def _register_findings(server: Server) -> None:
    service = server.service

    @server.feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=SOURCE),
    )
    def diagnose(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        document = service.documents.get(params.text_document.uri)
        found = service.findings(document) if document is not None else []
        if document is not None:
            document.said = found
        server.say_troubles()
        return types.RelatedFullDocumentDiagnosticReport(found or [])


def _register_actions(server: Server) -> None:
    service = server.service

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=KINDS))
    def act(params: types.CodeActionParams) -> list[types.CodeAction] | None:
        page = service.page(params.text_document.uri)
        if page is None:
            return None
        only = params.context.only
        actions = Actions(page, service.client, service.versions)
        return list(actions.find(params.range, None if only is None else [str(getattr(k, "value", k)) for k in only]))


def _register_typing(server: Server) -> None:
    service = server.service

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=TRIGGERS))
    def complete_word(params: types.CompletionParams) -> types.CompletionList | None:
        page = service.page(params.text_document.uri)
        return None if page is None else complete(page, params.position)


def _register_navigation(server: Server) -> None:
    service = server.service

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover_over(params: types.HoverParams) -> types.Hover | None:
        page = service.page(params.text_document.uri)
        markdown = service.client.takes_markdown
        return None if page is None else navigation.hover(page, params.position, markdown=markdown)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def define(params: types.DefinitionParams) -> list[types.Location] | None:
        page = service.page(params.text_document.uri)
        return None if page is None else navigation.define(page, params.position)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def refer(params: types.ReferenceParams) -> list[types.Location] | None:
        page = service.page(params.text_document.uri)
        with_itself = params.context.include_declaration
        return None if page is None else navigation.refer(page, params.position, with_itself=with_itself)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    def link(params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
        page = service.page(params.text_document.uri)
        return None if page is None else navigation.link(page)


def _register_outline(server: Server) -> None:
    service = server.service

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def list_symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol] | None:
        page = service.page(params.text_document.uri)
        return None if page is None else outline.list_symbols(page)

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def list_lenses(params: types.CodeLensParams) -> list[types.CodeLens] | None:
        page = service.page(params.text_document.uri)
        return None if page is None else outline.list_lenses(page)

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def list_hints(params: types.InlayHintParams) -> list[types.InlayHint] | None:
        page = service.page(params.text_document.uri) if service.client.inlay_hints else None
        return None if page is None else outline.list_hints(page, params.range)

    @server.command(outline.OPEN)
    def open_memos(addresses: list[str]) -> None:
        for address in addresses:
            server.window_show_document(types.ShowDocumentParams(address, take_focus=True))


def _register_renaming(server: Server) -> None:
    service = server.service
    anything = types.FileOperationRegistrationOptions([types.FileOperationFilter(types.FileOperationPattern("**/*"))])

    @server.feature(types.WORKSPACE_WILL_RENAME_FILES, anything)
    def will_rename(params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
        return follow_files(service, params.files)

    @server.feature(types.WORKSPACE_DID_RENAME_FILES, anything)
    def did_rename(params: types.RenameFilesParams) -> None:
        service.look_again(address for each in params.files for address in (each.old_uri, each.new_uri))
        server.schedule()

    @server.feature(types.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare(params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder | None:
        page = service.page(params.text_document.uri)
        return None if page is None else prepare_rename(page, params.position)

    @server.feature(types.TEXT_DOCUMENT_RENAME)
    def rename(params: types.RenameParams) -> types.WorkspaceEdit | None:
        page = service.page(params.text_document.uri)
        return None if page is None else rename_memo(service, page, params.position, params.new_name)
