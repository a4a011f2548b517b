"""An editor: a real client of the protocol that starts `recall server` and speaks with it over pipes."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

PATIENCE = 30.0
"""Seconds after which an answer counts as missing."""

PROGRAM = "from recall_lint.cli.main import main; main()"

CAPABILITIES = types.ClientCapabilities(
    text_document=types.TextDocumentClientCapabilities(
        publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
            related_information=True, tag_support=types.ClientDiagnosticsTagOptions([types.DiagnosticTag.Deprecated])
        ),
        rename=types.RenameClientCapabilities(prepare_support=True),
        document_symbol=types.DocumentSymbolClientCapabilities(hierarchical_document_symbol_support=True),
        code_action=types.CodeActionClientCapabilities(
            code_action_literal_support=types.ClientCodeActionLiteralOptions(
                types.ClientCodeActionKindOptions(list(types.CodeActionKind))
            )
        ),
    ),
    workspace=types.WorkspaceClientCapabilities(
        did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
        workspace_edit=types.WorkspaceEditClientCapabilities(
            document_changes=True, resource_operations=list(types.ResourceOperationKind)
        ),
        file_operations=types.FileOperationClientCapabilities(will_rename=True, did_rename=True),
    ),
)


class Editor:
    """One editor with a server of its own. Requests block until they are answered; `said` is what the server pushed."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder, self._cache = folder, cache
        self.said: dict[str, list[types.Diagnostic]] = {}
        self.shown: list[str] = []
        self.opened: list[str] = []
        self.registered: list[types.Registration] = []
        self.refreshed = 0
        self.complaints: list[str] = []
        self.capabilities: types.ServerCapabilities = types.ServerCapabilities()
        self._versions: dict[str, int] = {}
        self._loop = asyncio.new_event_loop()
        self.client = LanguageClient("tests", "1")
        self._is_running = False
        self._listen()

    def start(
        self,
        *,
        folders: list[Path] | None = None,
        capabilities: types.ClientCapabilities = CAPABILITIES,
        options: Any = None,
    ) -> "Editor":
        environment = {
            **os.environ,
            "GIT_CEILING_DIRECTORIES": str(self.folder.parent),
            "RECALL_CACHE_DIR": str(self._cache),
        }
        self.run(self.client.start_io(sys.executable, "-c", PROGRAM, "server", cwd=self.folder, env=environment))
        self._is_running = True
        self._drain = self._loop.create_task(self._read_complaints())
        chosen = [self.folder] if folders is None else folders
        params = types.InitializeParams(
            capabilities=capabilities,
            workspace_folders=[types.WorkspaceFolder(each.as_uri(), each.name) for each in chosen],
            initialization_options=options,
        )
        result = self.request(types.INITIALIZE, params)
        self.capabilities = result.capabilities
        self.client.initialized(types.InitializedParams())
        return self

    def stop(self) -> None:
        if self._is_running:
            self.request(types.SHUTDOWN, None)
            self.client.exit(None)
            self.run(self.client.stop())
            self.run(self._drain)
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    async def _read_complaints(self) -> None:
        """Take what the server writes on stderr, as an editor does: a full pipe would stop it."""
        server = self.client._server
        while server is not None and server.stderr is not None and (line := await server.stderr.readline()):
            self.complaints.append(line.decode(errors="replace"))

    def run(self, awaitable: Any) -> Any:
        return self._loop.run_until_complete(asyncio.wait_for(awaitable, PATIENCE))

    def request(self, method: str, params: Any) -> Any:
        async def ask() -> Any:
            return await self.client.protocol.send_request_async(method, params)

        return self.run(ask())

    def notify(self, method: str, params: Any) -> None:
        self.client.protocol.notify(method, params)

    def until(self, condition: Callable[[], Any]) -> Any:
        """What `condition` gives once it holds."""

        async def wait() -> Any:
            while not (found := condition()):  # noqa: ASYNC110 - what is waited for happens in callbacks
                await asyncio.sleep(0.01)
            return found

        return self.run(wait())

    def address(self, path: str) -> str:
        return (self.folder / path).as_uri()

    def identifier(self, path: str) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.address(path))

    def open(self, path: str, text: str | None = None) -> None:
        if text is None:
            text = (self.folder / path).read_bytes().decode()
        self._versions[path] = 1
        item = types.TextDocumentItem(self.address(path), "markdown", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def change(self, path: str, text: str) -> None:
        self._versions[path] += 1
        named = types.VersionedTextDocumentIdentifier(self._versions[path], self.address(path))
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(named, [whole]))

    def save(self, path: str, text: str) -> None:
        (self.folder / path).write_bytes(text.encode())
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(self.identifier(path)))

    def close(self, path: str) -> None:
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(self.identifier(path)))

    def tell_changed(self, *paths: str, kind: types.FileChangeType = types.FileChangeType.Changed) -> None:
        changes = [types.FileEvent(self.address(path), kind) for path in paths]
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes))

    def pull(self, path: str) -> list[types.Diagnostic]:
        report = self.request(types.TEXT_DOCUMENT_DIAGNOSTIC, types.DocumentDiagnosticParams(self.identifier(path)))
        return list(report.items)

    def codes(self, path: str) -> list[str]:
        """The codes that were pushed last for a document; those of an unopened one are none."""
        return [str(each.code) for each in self.said.get(self.address(path), [])]

    def _listen(self) -> None:
        client = self.client

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            self.said[params.uri] = list(params.diagnostics)

        @client.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params: types.ShowMessageParams) -> None:
            self.shown.append(params.message)

        @client.feature(types.WINDOW_SHOW_DOCUMENT)
        def opened(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
            self.opened.append(params.uri)
            return types.ShowDocumentResult(success=True)

        @client.feature(types.CLIENT_REGISTER_CAPABILITY)
        def registered(params: types.RegistrationParams) -> None:
            self.registered += params.registrations

        @client.feature(types.WORKSPACE_DIAGNOSTIC_REFRESH)
        def refreshed(_: Any) -> None:
            self.refreshed += 1


class Memos:
    """A folder of memos."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, files: Mapping[str, str | bytes]) -> None:
        for path, content in files.items():
            full = self.folder / path
            full.parent.mkdir(parents=True, exist_ok=True)
            full.write_bytes(content if isinstance(content, bytes) else content.encode())

    def git(self, *arguments: str) -> None:
        configured = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        who = ["-c", "user.name=a", "-c", "user.email=a"]
        subprocess.run(
            ["git", *who, *arguments],
            cwd=self.folder,
            env={**os.environ, **configured},
            check=True,
            capture_output=True,
        )

    def commit(self) -> None:
        if not (self.folder / ".git").exists():
            self.git("init", "--quiet")
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "memos")

    def recall(self, *arguments: str, expected: tuple[int, ...] = (0, 1)) -> str:
        """What the command line answers in this folder."""
        environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(self.folder.parent)}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *arguments],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            check=False,
        )
        assert done.returncode in expected, done.stderr.decode()
        return done.stdout.decode()


@pytest.fixture
def memos(tmp_path: Path) -> Memos:
    folder = tmp_path / "memos"
    folder.mkdir()
    return Memos(folder)


@pytest.fixture
def editor(memos: Memos, tmp_path: Path) -> Iterator[Editor]:
    """An editor in the folder of `memos`, not started yet."""
    editor = Editor(memos.folder, tmp_path / "cache")
    yield editor
    editor.stop()
