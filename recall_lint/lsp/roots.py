"""The corpora that the files of an editor lie in, found as the command line finds them."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

from recall_core.adapters.cache import DataCache
from recall_core.adapters.files import lies_below
from recall_core.adapters.run_cache import open_run_cache
from recall_core.adapters.workspace import Workspace, open_workspace
from recall_core.errors import RecallError
from recall_lint.lsp.root import Root


class Roots:
    """Every corpus of which a file was opened.

    A file's root is that of its folder; without configuration and Git around it, the innermost of the editor's folders
    that it lies in, else its own folder.
    """

    def __init__(self, cache_folder: str) -> None:
        self.folders: list[str] = []
        self._cache_folder = cache_folder
        self._roots: dict[str, Root] = {}
        self._by_folder: dict[str, Root] = {}

    def __iter__(self) -> Iterator[Root]:
        return iter(list(self._roots.values()))

    def find(self, path: str) -> Root:
        """The root of a file. Raises RecallError where there can be none: its configuration cannot be read, say."""
        folder = os.path.dirname(path)
        if folder not in self._by_folder:
            open_ = self._choose(folder)
            workspace = open_()
            if workspace.root not in self._roots:
                self._roots[workspace.root] = Root(workspace, open_, self._open_cache)
            self._by_folder[folder] = self._roots[workspace.root]
        return self._by_folder[folder]

    def open_folders(self) -> None:
        """Find the roots of the editor's folders, and read them, before a file is opened."""
        for folder in self.folders:
            with suppress(RecallError):  # said when a file in it is opened
                self.find(os.path.join(folder, "any.md")).judge()

    def forget(self) -> None:
        """Find every root anew: a file that decides where they lie has changed."""
        self._roots.clear()
        self._by_folder.clear()

    def _choose(self, folder: str) -> Callable[[], Workspace]:
        """How to open the workspace around a folder."""
        while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
            folder = os.path.dirname(folder)
        workspace = open_workspace(folder)
        if workspace.git is None and workspace.configuration.source is None:
            real = os.path.realpath(folder)
            around = [each for each in self.folders if lies_below(real, os.path.realpath(each))]
            folder = max(around, key=len, default=folder)
        return partial(open_workspace, folder)

    def _open_cache(self, workspace: Workspace) -> DataCache:
        return open_run_cache(workspace, self._cache_folder)
