"""Settings to adapters to use cases: the one place of the core that reads the environment."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Self, TextIO

from recall_core.errors import MissingExtraError, UsageError
from recall_core.trust.policy import TrustPolicy, parse_trust_mode

if TYPE_CHECKING:
    from types import TracebackType

    from recall_core.adapters.search_config import SearchSettings
    from recall_core.adapters.terminal import Screen
    from recall_core.adapters.workspace import Workspace
    from recall_core.app.search import Tools
    from recall_core.generation.pipeline import Pipeline
    from recall_core.ports.embedder import Embedder
    from recall_core.ports.store import GenerationStore
    from recall_core.ports.view import CorpusView
    from recall_core.trust.entail import Entailer

DEFAULT_EMBEDDER = "local"
TEXT_SEARCH = "english"
SCHEMA = 1

_STORE = "recall_core.adapters.postgres.store"
_VECTOR_CACHE = "recall_core.adapters.vector_cache"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the environment says. `folder` is the working folder; DSNs and URLs may hold passwords and are not shown."""

    folder: str
    serving_dsn: str | None = field(repr=False)
    migration_dsn: str | None = field(repr=False)
    actor: str
    data_folder: str
    cache_folder: str
    policy: TrustPolicy
    embedder: str | None
    embedder_url: str | None = field(repr=False)
    embedder_key: str | None = field(repr=False)
    entailer_url: str | None = field(repr=False)
    entailer_key: str | None = field(repr=False)
    shows_progress: bool

    @classmethod
    def read(cls) -> Self:
        """The environment of this process. Raises UsageError where its working folder is gone."""
        from recall_core.adapters.cache import user_cache_folder
        from recall_core.adapters.data_folder import user_data_folder
        from recall_core.adapters.terminal import progress_wanted

        variables = os.environ
        try:
            folder = os.getcwd()
        except OSError as error:
            reason = f"the working folder cannot be used: {error.strerror}"
            raise UsageError(reason, help="change to another") from error
        is_terminal = sys.stderr is not None and sys.stderr.isatty() and variables.get("TERM") != "dumb"
        return cls(
            folder,
            variables.get("RECALL_SERVING_DSN") or None,
            variables.get("RECALL_MIGRATION_DSN") or None,
            variables.get("RECALL_ACTOR") or _system_user(),
            user_data_folder(variables),
            user_cache_folder(variables),
            parse_trust_mode(variables.get("RECALL_TRUST_MODE")),
            variables.get("RECALL_EMBEDDER") or None,
            variables.get("RECALL_EMBEDDER_URL") or None,
            variables.get("RECALL_EMBEDDER_KEY") or None,
            variables.get("RECALL_ENTAILER_URL") or None,
            variables.get("RECALL_ENTAILER_KEY") or None,
            progress_wanted(is_terminal=is_terminal, under_hook="PRE_COMMIT" in variables),
        )


@dataclass(frozen=True, slots=True)
class Choices:
    """What the command line chooses, each None where it does not. `policy` is chosen by a demonstration alone."""

    tenant: str | None = None
    serving_dsn: str | None = field(default=None, repr=False)
    migration_dsn: str | None = field(default=None, repr=False)
    actor: str | None = None
    data_dir: str | None = None
    embedder: str | None = None
    config: str | None = None
    policy: TrustPolicy | None = None


class Wiring:
    """What one command works with. Things are opened when they are asked for, once, and closed on the way out."""

    def __init__(self, choices: Choices, *, root: str | None = None, rev: str | None = None) -> None:
        from recall_core.adapters.search_config import DEFAULT_TENANT, demand_tenant, read_search_settings
        from recall_core.adapters.workspace import open_workspace

        self.surroundings = Surroundings.read()
        self._choices = choices
        folder = os.path.join(self.surroundings.folder, root or "")
        if not os.path.isdir(folder):
            raise UsageError(f"`{root}` is no folder", help="name the folder of a corpus")
        self.workspace: Workspace = open_workspace(folder, rev=rev, configuration=choices.config)
        self.settings: SearchSettings = read_search_settings(self.workspace.configuration)
        asked = choices.tenant
        self.tenant = demand_tenant(asked) if asked is not None else self.settings.tenant or DEFAULT_TENANT
        self._store: GenerationStore | None = None
        self._embedder: Embedder | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: "TracebackType | None"
    ) -> None:
        close: Callable[[], None] | None = getattr(self._store, "close", None)
        if close is not None:
            close()

    @property
    def actor(self) -> str:
        """Who is written down as having done it."""
        return self._choices.actor or self.surroundings.actor

    @property
    def policy(self) -> TrustPolicy:
        """Whether answers need a certified calibration."""
        return self._choices.policy or self.surroundings.policy

    @property
    def max_age(self) -> timedelta:
        """How old an index may be before it counts as stale."""
        return timedelta(days=self.settings.max_age_days)

    def store(self) -> "GenerationStore":
        """The store. Raises StoreError where there is none, MissingExtraError without the driver."""
        if self._store is None:
            demand_extra()
            self._store = self._open_store()
        return self._store

    def embedder(self) -> "Embedder":
        """The embedder that was chosen: on the command line, in the environment, in the configuration, by default."""
        if self._embedder is None:
            demand_extra()
            name = self._choices.embedder or self.surroundings.embedder or self.settings.embedder or DEFAULT_EMBEDDER
            self._embedder = open_embedder(name, self.surroundings)
        return self._embedder

    def pipeline(self, embedder: "Embedder") -> "Pipeline":
        """The identity of the rows that are made today."""
        from recall_core.app.embed import describe_pipeline

        return describe_pipeline(embedder, text_search=TEXT_SEARCH, schema=SCHEMA)

    def entailer(self, name: str) -> "Entailer":
        """The entailer of a name."""
        return open_entailer(name, self.surroundings)

    def tools(self, *, entailer: str | None = None) -> "Tools":
        """What a search works with; `entailer` names who is asked whether the hits that hold answer."""
        from recall_core.app.search import Tools

        opened = partial(self.entailer, entailer) if entailer is not None else None
        return Tools(self.store, self.embedder, self.pipeline, opened)

    def corpus(self) -> "CorpusView":
        """The corpus as the linter sees it, with the times that Git recorded."""
        from recall_core.adapters.corpus_view import view_corpus
        from recall_core.adapters.run_cache import open_run_cache

        return view_corpus(self.workspace, open_run_cache(self.workspace, self.surroundings.cache_folder))

    def purge(self, roots: Sequence[str], digests: Sequence[str]) -> None:
        """Take vectors out of the vector cache, and everything out of the caches of some roots."""
        from recall_core.adapters.run_cache import clear_run_cache, open_run_cache
        from recall_core.adapters.workspace import open_workspace

        purge_vectors(self.surroundings.cache_folder, digests)
        for root in filter(os.path.isdir, roots):
            clear_run_cache(open_run_cache(open_workspace(root), self.surroundings.cache_folder).folder)

    def _open_store(self) -> "GenerationStore":
        from recall_core.adapters.output import remark

        return open_chosen_store(self._choices, self.surroundings, said=remark)


def open_chosen_store(choices: Choices, around: Surroundings, *, said: Callable[[str], None]) -> "GenerationStore":
    """The store that is chosen, by what was typed or else by the environment; without a DSN that of our own server.

    Raises UsageError for a migration DSN alone, StoreError where there is no server.
    """
    serving = choices.serving_dsn or around.serving_dsn
    migration = choices.migration_dsn or around.migration_dsn
    if serving is not None:
        return open_store(serving, migration, said=said)
    if migration is not None:
        raise UsageError("a migration DSN alone serves nothing", help="give --serving-dsn too")
    from recall_core.adapters.embedded.server import ensure

    server = ensure(choices.data_dir or around.data_folder, said=said)
    return open_store(server.serving_dsn, server.owner_dsn, applies=True, said=said)


def read_screen(color: str, stream: TextIO | None) -> "Screen":
    """What a stream can show. `color` is what was typed: `auto`, `always` or `never`."""
    from recall_core.adapters.terminal import Screen, color_wanted, line_width

    variables = os.environ
    is_terminal = stream is not None and stream.isatty()
    try:
        reported = os.get_terminal_size(stream.fileno()).columns if stream is not None and is_terminal else None
    except (OSError, ValueError):
        reported = None
    try:
        "\u2588\u2591\u2026".encode(getattr(stream, "encoding", None) or "ascii")
        draws_blocks = True
    except UnicodeEncodeError:
        draws_blocks = False
    return Screen(
        color_wanted(color, no_color=variables.get("NO_COLOR"), is_terminal=is_terminal, term=variables.get("TERM")),
        line_width(columns=variables.get("COLUMNS"), reported=reported),
        draws_blocks,
    )


def open_store(
    serving_dsn: str, migration_dsn: str | None, *, applies: bool = False, said: Callable[[str], None]
) -> "GenerationStore":
    """The store in PostgreSQL. `applies` brings its tables up to date, which is for the embedded server alone."""
    store: GenerationStore = import_module(_STORE).open_store(serving_dsn, migration_dsn, applies=applies, said=said)
    return store


def embedded_folder(choices: Choices) -> str:
    """The folder of the embedded server. Raises MissingExtraError without what it needs."""
    demand_extra()
    return choices.data_dir or Surroundings.read().data_folder


def schema_dsns(choices: Choices) -> tuple[str | None, str, str]:
    """The serving and the migration DSN for work on the schema, and the role that serves.

    Without a DSN they are those of the embedded server, which is started. Raises UsageError where a server was named
    and the DSN that may change tables was not; ConfigurationError for one that cannot be read.
    """
    demand_extra()
    around = Surroundings.read()
    serving = choices.serving_dsn or around.serving_dsn
    migration = choices.migration_dsn or around.migration_dsn
    if serving is None and migration is None:
        from recall_core.adapters.embedded.server import SERVING, ensure
        from recall_core.adapters.output import remark

        server = ensure(choices.data_dir or around.data_folder, said=remark)
        return server.serving_dsn, server.owner_dsn, SERVING
    from recall_core.adapters.postgres.dsn import check_dsn, find_user

    for dsn, name in ((serving, "the serving DSN"), (migration, "the migration DSN")):
        if dsn is not None:
            check_dsn(dsn, name=name)
    if migration is None:
        raise UsageError(
            "changing tables needs a role that may", help="give --migration-dsn, or set RECALL_MIGRATION_DSN"
        )
    return serving, migration, find_user(serving) if serving is not None else ""


def open_embedder(name: str, around: Surroundings) -> "Embedder":
    """The embedder of a name, behind the cache of vectors.

    Where a model is served is said in the environment alone: a configuration comes with a clone, and could send memos
    and the key to anybody.
    """
    from recall_core.adapters.embedders.choose import choose_embedder
    from recall_core.adapters.embedders.endpoint import Endpoint

    models = os.path.join(around.cache_folder, "models")
    chosen = choose_embedder(name, endpoint=Endpoint(around.embedder_url, around.embedder_key), models_folder=models)
    embedder: Embedder = import_module(_VECTOR_CACHE).CachedEmbedder(chosen, around.cache_folder)
    return embedder


def open_entailer(name: str, around: Surroundings) -> "Entailer":
    """The entailer of a name. Where a model is served is said in the environment alone, as with embedders."""
    from recall_core.adapters.embedders.endpoint import Endpoint
    from recall_core.adapters.entailers.choose import choose_entailer

    return choose_entailer(name, endpoint=Endpoint(around.entailer_url, around.entailer_key))


def purge_vectors(cache_folder: str, digests: Sequence[str]) -> None:
    """Take the vectors of some passages out of the cache."""
    import_module(_VECTOR_CACHE).purge(cache_folder, digests)


def demand_extra() -> None:
    """Raise MissingExtraError where what searching needs is not installed."""
    from importlib.util import find_spec

    missing = [name for name in ("numpy", "psycopg") if find_spec(name) is None]
    if missing:
        raise MissingExtraError(
            f"searching needs {' and '.join(missing)}, which the base install leaves out",
            help="pip install 'recall-lint[search]'",
        )


def _system_user() -> str:
    from getpass import getuser

    try:
        return getuser()
    except (OSError, KeyError, ImportError):  # a container's user without a name
        return f"uid-{os.getuid()}" if hasattr(os, "getuid") else "unknown"
