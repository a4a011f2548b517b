"""The settings of the rules: which are on, how much each weighs, and where one is not wanted.

A rule is meant by its code (`RL205`), the beginning of codes (`RL2`), its name (`competing-successors`) or `ALL`, in
any letter case. Where `select` and `ignore` both mean a rule, the narrower wins, and between equals `ignore`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from recall_core.adapters.configured import Origin, strings, wrong_type
from recall_core.adapters.corpus_config import Configuration
from recall_core.adapters.globs import GlobError, Globs, Scope
from recall_core.errors import ConfigurationError, RecallError, UsageError
from recall_lint.diagnostic import Severity
from recall_lint.rule import Rule

DEFAULT_SELECT = ("ALL",)
DEFAULT_FAIL_ON = Severity.ERROR
DEFAULT_INDEX_FILES = ("README", "INDEX", "CHANGELOG", "_index", "MEMORY")
DEFAULT_EXPIRING_WITHIN_DAYS = 30
MOST_DAYS = 36_500
"""A century: a larger number is a slip, and the day after the last of the calendar an overflow."""

_ONE_RULE = 100


def _name_files(patterns: Sequence[str]) -> Globs:
    """The globs behind `index-files`: `.md` may be left out, and a folder is meant only with a slash at its end."""
    globs = []
    for pattern in patterns:
        name = pattern.rpartition("/")[2]
        if name not in ("", "**") and not name.lower().endswith(".md"):
            globs.append(f"{pattern}.md")
        if name in ("", "**") or "." in name:
            globs.append(pattern)
    return Globs(globs, Scope.EVERYTHING)


class _Selector(NamedTuple):
    """What a text such as `RL2` means: the codes, and how narrow it is."""

    codes: frozenset[str]
    narrowness: int


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of the rules. `severities` holds what is configured, by code; `enabled` the codes that run."""

    rules: tuple[Rule, ...]
    select: tuple[str, ...] = DEFAULT_SELECT
    ignore: tuple[str, ...] = ()
    severities: Mapping[str, Severity] = field(default_factory=dict)
    per_file_ignores: tuple[tuple[str, frozenset[str]], ...] = ()
    index_files: tuple[str, ...] = DEFAULT_INDEX_FILES
    fail_on: Severity = DEFAULT_FAIL_ON
    expiring_within_days: int = DEFAULT_EXPIRING_WITHIN_DAYS
    enabled: frozenset[str] = frozenset()
    _globs: tuple[tuple[Globs, frozenset[str]], ...] = field(default=(), repr=False, compare=False)
    _index: Globs = field(default_factory=lambda: _name_files(DEFAULT_INDEX_FILES), repr=False, compare=False)

    def is_enabled(self, code: str) -> bool:
        """Whether the rule of this code runs."""
        return code in self.enabled

    def severity_of(self, code: str, default: Severity) -> Severity:
        """How much a finding of the rule weighs that the rule itself gives `default`."""
        return self.severities.get(code, default)

    def ignored_at(self, path: str) -> frozenset[str]:
        """The codes that `per-file-ignores` silences for findings placed in `path`."""
        return frozenset[str]().union(*(codes for globs, codes in self._globs if globs.matches(path)))

    def is_index(self, path: str) -> bool:
        """Whether the memo at `path` catalogues others, so that what it says of them is no claim of its own."""
        return self._index.matches(path)

    def fails(self, severity: Severity) -> bool:
        """Whether a finding of this severity counts for the exit status."""
        return severity.weight >= self.fail_on.weight

    def idle_globs(self, paths: Iterable[str]) -> tuple[str, ...]:
        """The patterns of `per-file-ignores` that name none of `paths`: worth a word, not an error."""
        known = tuple(paths)
        patterns = zip(self.per_file_ignores, self._globs, strict=True)
        return tuple(glob for (glob, _), (globs, _) in patterns if not any(map(globs.matches, known)))

    def merge(
        self,
        *,
        select: Sequence[str] | None = None,
        ignore: Sequence[str] | None = None,
        fail_on: str | None = None,
    ) -> "Settings":
        """These settings under the options of the command line, each a list of rules, or of several between commas.

        Raises UsageError for a rule or a severity that is not there.

        `select` starts afresh: it replaces `select` and `ignore` of the configuration, and runs a rule that
        `severity` turns off when it names that very rule. `ignore` comes on top of what is ignored already.
        """
        select, ignore = _split(select), _split(ignore) or ()
        severities = dict(self.severities)
        refused = _selectors(ignore, self.rules, "--ignore", UsageError)
        if select is None:
            enabled = self.enabled.difference(*(one.codes for one in refused))
        else:
            asked = _selectors(select, self.rules, "--select", UsageError)
            for code in (code for one in asked if one.narrowness == _ONE_RULE for code in one.codes):
                if severities.get(code) is Severity.OFF:
                    del severities[code]
            enabled = _resolve(self.rules, asked, refused, severities)
        return replace(
            self,
            select=self.select if select is None else select,
            ignore=(*self.ignore, *ignore) if select is None else ignore,
            severities=severities,
            fail_on=_fail_on(fail_on, "--fail-on", UsageError) if fail_on is not None else self.fail_on,
            enabled=enabled,
        )

    def fingerprint(self) -> str:
        """A digest of all that decides which findings there are and what they say; `fail-on` does not."""
        return _digest(self._canonical())

    def _canonical(self) -> list[object]:
        weights = [(rule.code, self.severity_of(rule.code, rule.severity).value) for rule in self.rules]
        return [
            sorted(weight for weight in weights if weight[0] in self.enabled),
            sorted((code, severity.value) for code, severity in self.severities.items() if code in self.enabled),
            sorted((glob, sorted(codes)) for glob, codes in self.per_file_ignores),
            sorted(self.index_files),
            self.expiring_within_days,
        ]


def build_settings(configuration: Configuration, rules: Sequence[Rule]) -> Settings:
    """The settings that the configuration gives `rules`. Raises ConfigurationError for what nothing knows."""
    known = tuple(rules)
    select = strings(configuration, "select")
    ignore = strings(configuration, "ignore") or ()
    severities = _severities(configuration, known)
    per_file = _per_file_ignores(configuration, known)
    written = strings(configuration, "index-files")
    index_files = DEFAULT_INDEX_FILES if written is None else written
    asked = _selectors(DEFAULT_SELECT if select is None else select, known, _named(configuration, "select"))
    refused = _selectors(ignore, known, _named(configuration, "ignore"))
    return Settings(
        rules=known,
        select=DEFAULT_SELECT if select is None else select,
        ignore=ignore,
        severities=severities,
        per_file_ignores=per_file,
        index_files=index_files,
        fail_on=_configured_fail_on(configuration),
        expiring_within_days=_days(configuration),
        enabled=_resolve(known, asked, refused, severities),
        _globs=tuple((_globs(configuration, pattern), codes) for pattern, codes in per_file),
        _index=_index_globs(configuration, index_files),
    )


def _split(texts: Sequence[str] | None) -> tuple[str, ...] | None:
    """The values of an option that may be given several times, each with several rules between commas."""
    if texts is None:
        return None
    return tuple(part.strip() for text in texts for part in text.split(",") if part.strip())


def _named(configuration: Configuration, *keys: str) -> str:
    return f"{configuration.place(*keys)}: `{'.'.join(keys)}`"


def _resolve(
    rules: Sequence[Rule],
    asked: Sequence[_Selector],
    refused: Sequence[_Selector],
    severities: Mapping[str, Severity],
) -> frozenset[str]:
    def narrowest(selectors: Sequence[_Selector], code: str) -> int:
        return max((one.narrowness for one in selectors if code in one.codes), default=-1)

    return frozenset(
        rule.code
        for rule in rules
        if narrowest(asked, rule.code) > narrowest(refused, rule.code) and severities.get(rule.code) is not Severity.OFF
    )


def _selectors(
    texts: Sequence[str], rules: Sequence[Rule], where: str, error: type[RecallError] = ConfigurationError
) -> list[_Selector]:
    return [_selector(text, rules, where, error) for text in texts]


def _selector(text: str, rules: Sequence[Rule], where: str, error: type[RecallError]) -> _Selector:
    """What `text` means. Raises `error` where it means no rule."""
    meant = text.strip().lower()
    if meant == "all":
        return _Selector(frozenset(rule.code for rule in rules), 0)
    for rule in rules:
        if meant in (rule.code.lower(), rule.name):
            return _Selector(frozenset((rule.code,)), _ONE_RULE)
    beginning = meant.upper()
    codes = frozenset(rule.code for rule in rules if beginning.startswith("RL") and rule.code.startswith(beginning))
    if not codes:
        raise _unknown_rule(text, rules, where, error)
    return _Selector(codes, len(beginning))


def _unknown_rule(text: str, rules: Sequence[Rule], where: str, error: type[RecallError]) -> RecallError:
    from difflib import get_close_matches  # noqa: PLC0415 - only for a message

    names = {name.lower(): name for rule in rules for name in (rule.code, rule.name)}
    # One code resembles every other: no ground for a guess.
    is_code = text[:2].upper() == "RL" and text[2:].isdigit()
    close = [] if is_code else get_close_matches(text.strip().lower().replace("_", "-"), names, n=1)
    advice = f"did you mean `{names[close[0]]}`?" if close else "`recall rule` lists the rules"
    return error(f"{where}: no rule is called `{text}`", help=advice)


def _severities(configuration: Configuration, rules: Sequence[Rule]) -> Mapping[str, Severity]:
    severities: dict[str, Severity] = {}
    said_by: dict[str, Origin | None] = {}
    for name, value in _table(configuration, "severity").items():
        where = _named(configuration, "severity", name)
        meant = _selector(name, rules, where, ConfigurationError)
        if meant.narrowness != _ONE_RULE:
            raise ConfigurationError(f"{where}: a severity is for one rule", help="name each rule on a line of its own")
        (code,) = meant.codes
        by = configuration.origin("severity", name)
        if code in said_by and said_by[code] is by:
            raise ConfigurationError(f"{where}: the severity of {code} is set twice, by its code and by its name")
        if not isinstance(value, str):
            raise wrong_type(configuration, ("severity", name), "a string", value)
        severities[code] = _severity(value, tuple(Severity), where, ConfigurationError)
        said_by[code] = by  # of two files the one that extends the other comes later
    return severities


def _severity(text: str, choices: Sequence[Severity], where: str, error: type[RecallError]) -> Severity:
    for choice in choices:
        if choice.value == text:
            return choice
    words = ", ".join(f"`{choice.value}`" for choice in choices)
    raise error(f"{where}: `{text}` is no severity here", help=f"one of {words}")


def _per_file_ignores(configuration: Configuration, rules: Sequence[Rule]) -> tuple[tuple[str, frozenset[str]], ...]:
    pairs = []
    for pattern in _table(configuration, "per-file-ignores"):
        names = strings(configuration, "per-file-ignores", pattern) or ()
        where = _named(configuration, "per-file-ignores", pattern)
        codes = (one.codes for one in _selectors(names, rules, where))
        pairs.append((pattern, frozenset[str]().union(*codes)))
    return tuple(pairs)


def _globs(configuration: Configuration, pattern: str) -> Globs:
    try:
        return Globs((pattern,), Scope.EVERYTHING)
    except GlobError as error:
        where = configuration.place("per-file-ignores", pattern)
        raise ConfigurationError(f"{where}: `per-file-ignores`: {error}", help=error.help) from None


def _index_globs(configuration: Configuration, patterns: Sequence[str]) -> Globs:
    try:
        return _name_files(patterns)
    except GlobError as error:
        raise ConfigurationError(f"{_named(configuration, 'index-files')}: {error}", help=error.help) from None


def _table(configuration: Configuration, key: str) -> Mapping[str, object]:
    value = configuration.table.get(key, {})
    if not isinstance(value, Mapping):
        raise wrong_type(configuration, (key,), "a table", value)
    return value


def _configured_fail_on(configuration: Configuration) -> Severity:
    value = configuration.table.get("fail-on", DEFAULT_FAIL_ON.value)
    if not isinstance(value, str):
        raise wrong_type(configuration, ("fail-on",), "a string", value)
    return _fail_on(value, _named(configuration, "fail-on"), ConfigurationError)


def _fail_on(text: str, where: str, error: type[RecallError]) -> Severity:
    return _severity(text, (Severity.ERROR, Severity.WARNING, Severity.INFO), where, error)


def _days(configuration: Configuration) -> int:
    key = "expiring-within-days"
    value = configuration.table.get(key, DEFAULT_EXPIRING_WITHIN_DAYS)
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_type(configuration, (key,), "an integer", value, "0 turns RL402 off")
    if not 0 <= value <= MOST_DAYS:
        raise ConfigurationError(f"{_named(configuration, key)} must lie between 0 and {MOST_DAYS}, and is {value}")
    return value


def _digest(value: object) -> str:
    import hashlib  # noqa: PLC0415 - only a cache asks
    import json  # noqa: PLC0415 - the same

    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode("ascii"), digest_size=16).hexdigest()
