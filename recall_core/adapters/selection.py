"""Which files below the root are memos, and for one that is not: which setting says so."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from recall_core.adapters.globs import Globs, Scope, composed

DEFAULT_INCLUDE = ("**/*.md",)
DEFAULT_EXCLUDE = (
    "**/.*/**",
    "**/node_modules/**",
    "**/template.md",
    "**/*[-_]template.md",
    "**/*template-{bare,minimal,bare-minimal}.md",
    "**/templates/**",
)


class Pattern(NamedTuple):
    """A pattern with the setting it stands in; `written` is False for one that is there by default."""

    setting: str
    text: str
    written: bool

    def __str__(self) -> str:
        """The words for it in a message."""
        return f"`{self.text}` of `{self.setting}`" if self.written else f"the default pattern `{self.text}`"


class Selection:
    """The patterns of a configuration, compiled. Paths are relative to the root, with forward slashes.

    None for `include` or `exclude` stands for the defaults. Raises GlobError for a pattern that cannot mean anything.
    """

    def __init__(
        self,
        include: Sequence[str] | None = None,
        exclude: Sequence[str] | None = None,
        extend_exclude: Sequence[str] = (),
    ) -> None:
        self.include = _named("include", include, DEFAULT_INCLUDE)
        self.exclude = (*_named("exclude", exclude, DEFAULT_EXCLUDE), *_named("extend-exclude", extend_exclude, ()))
        self._included = Globs([pattern.text for pattern in self.include], Scope.MEMOS)
        self._excluded = Globs([pattern.text for pattern in self.exclude], Scope.EVERYTHING)

    def is_memo(self, path: str) -> bool:
        """Whether the file at `path` is a memo."""
        return self._included.matches(path) and not self._excluded.matches(path)

    def select(self, paths: Iterable[str]) -> tuple[list[str], list[str]]:
        """The paths that are memos, and all others, both in the order given."""
        memos: list[str] = []
        dropped: list[str] = []
        folders: dict[str, tuple[Callable[[str], object], Callable[[str], object]]] = {}
        for path in paths:
            folder, _, name = composed(path).rpartition("/")
            tests = folders.get(folder)
            if tests is None:
                tests = folders[folder] = (self._included.namer(folder), self._excluded.namer(folder))
            (memos if tests[0](name) and not tests[1](name) else dropped).append(path)
        return memos, dropped

    def why_not(self, path: str) -> str | None:
        """The setting that keeps the file at `path` out, in words that follow its name; None for a memo."""
        if not self._included.matches(path):
            return f"not matched by {_listed(self.include)}"
        by = self._excluded.first(path)
        return None if by is None else f"excluded by {self._pattern(by)}"

    def idle(self, paths: Sequence[str]) -> tuple[Pattern, ...]:
        """The patterns written in configuration that name none of `paths`.

        Worth a word under `--verbose`, never an error: what Git ignores is not listed, so an exclude may well be idle.
        """
        globs = zip((*self.include, *self.exclude), (*self._included.singles(), *self._excluded.singles()), strict=True)
        return tuple(pattern for pattern, one in globs if pattern.written and not any(map(one.matches, paths)))

    def why_nothing(self, paths: Sequence[str]) -> str:
        """Why none of `paths` is a memo, naming each setting and how many files it kept out."""
        if not paths:
            return "there is no file below the root"
        included = [path for path in paths if self._included.matches(path)]
        if not included:
            return f"{_listed(self.include)} matches none of {_files(len(paths))}"
        blamed = [self._excluded.first(path) for path in included]
        reasons = ", ".join(
            f"{blamed.count(by)} by {self._pattern(by)}" for by in dict.fromkeys(blamed) if by is not None
        )
        return f"{_listed(self.include)} matches {_files(len(included))}, and all are excluded: {reasons}"

    def _pattern(self, text: str) -> Pattern:
        return next(pattern for pattern in self.exclude if pattern.text == text)


def _named(setting: str, given: Sequence[str] | None, default: Sequence[str]) -> tuple[Pattern, ...]:
    return tuple(Pattern(setting, text, given is not None) for text in (default if given is None else given))


def _listed(include: Sequence[Pattern]) -> str:
    texts = ", ".join(f"`{pattern.text}`" for pattern in include)
    return f"`include` ({texts})" if include and include[0].written else f"the default `include` ({texts})"


def _files(number: int) -> str:
    return "1 file" if number == 1 else f"{number} files"
