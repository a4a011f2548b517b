"""Memos of about 2 KB, pseudo-random and the same on every machine, that lint without an error.

Four fifths have frontmatter with a title, a status, tags and a date; three in ten a validity window, one in eight
declares what it replaces, in one of the written forms that people use. A quarter of the bodies hold closure words, many
hold code or link to each other, a third are not ASCII. The shares are near those of real collections.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from benchmarks import wording

SEED = 20_240_229
SIZE = 2048
"""Bytes of a memo, give or take a sentence."""

_SENTENCES = 3000
_WITH_BLOCK = 0.8
_WITH_WINDOW = 0.3
_WITH_SUPERSEDES = 0.12
_WITH_REPLACEMENT = 0.1
_WITH_CODE = 0.3
_WITH_EXAMPLE = 0.003
_WITH_FOREIGN = 0.35
_RECENT = 400


@dataclass(frozen=True, slots=True)
class GeneratedMemo:
    """A file of the corpus. `path` is relative to its root."""

    path: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Name:
    """How a memo is called: unlike any other, whatever is cut off or unwrapped."""

    folder: str
    stem: str

    @property
    def path(self) -> str:
        """Relative to the root."""
        return f"{self.folder}/{self.stem}.md"


def build_memos(count: int, seed: int = SEED) -> Iterator[GeneratedMemo]:
    """`count` memos, each of which replaces only such that came before it."""
    return _Writer(count, random.Random(seed)).memos()


class _Writer:
    """The state of one corpus while it is written: its random numbers, its names, and what is not replaced yet."""

    def __init__(self, count: int, rng: random.Random) -> None:
        self._rng = rng
        folders = [f"{area}/{kind}" for area in wording.AREAS for kind in wording.KINDS]
        rng.shuffle(folders)
        # A while in one folder, then in the next: history in which each commit touches all of them is nobody's.
        stay = min(50, max(1, count // 100))
        self._names = [self._name(number, folders[number // stay % len(folders)]) for number in range(count)]
        self._unreplaced: list[int] = []
        self._chains: list[int] = []

    def memos(self) -> Iterator[GeneratedMemo]:
        for number, name in enumerate(self._names):
            targets = self._choose_targets() if number and self._rng.random() < _WITH_SUPERSEDES else []
            text = self._block(name, targets) + self._body(name, targets)
            (self._chains if targets else self._unreplaced).append(number)
            del self._unreplaced[:-_RECENT]
            del self._chains[:-_RECENT]
            yield GeneratedMemo(name.path, text.encode())

    def _name(self, number: int, folder: str) -> Name:
        choose = self._rng.choice
        return Name(folder, f"{choose(wording.NOUNS)}-{choose(wording.NOUNS)}-{number:06d}")

    def _choose_targets(self) -> list[Name]:
        """One memo, seldom two, that nothing replaces yet: half of the time one that itself replaced another."""
        targets = []
        for _ in range(2 if self._rng.random() < 0.1 else 1):
            pool = self._chains if self._chains and self._rng.random() < 0.5 else self._unreplaced
            if pool:
                targets.append(self._names[pool.pop(self._rng.randrange(len(pool)))])
        return targets

    def _block(self, name: Name, targets: list[Name]) -> str:
        rng = self._rng
        if not targets and rng.random() > _WITH_BLOCK:
            return ""
        title = self._title(name)
        quote = '"' if rng.random() < 0.3 else ""
        lines = ["---", f"title: {quote}{title}{quote}", f"status: {rng.choice(wording.STATUSES)}"]
        tags = rng.sample(wording.AREAS, 2)
        lines += ["tags:", *(f"  - {tag}" for tag in tags)] if rng.random() < 0.4 else [f"tags: [{', '.join(tags)}]"]
        lines.append(f"date: {self._day(2020, 2024)}")
        if rng.random() < _WITH_WINDOW:
            lines += self._window(replaces=bool(targets))
        lines += self._declare(name, targets)
        return "\n".join([*lines, "---", "", ""])

    def _window(self, *, replaces: bool) -> list[str]:
        """Bounds that hold for a long time; one in ten is over, but never of a memo that replaces another."""
        rng = self._rng
        if not replaces and rng.random() < 0.1:
            return [f"valid_until: {self._day(2021, 2023)}"]
        window = [f"valid_from: {self._day(2020, 2024)}"] if rng.random() < 0.7 else []
        if not window or rng.random() < 0.6:
            window.append(f"valid_until: {self._day(2090, 2098)}")
        return window

    def _declare(self, name: Name, targets: list[Name]) -> list[str]:
        if not targets:
            return []
        forms = [self._reference(name, target) for target in targets]
        match self._rng.randrange(3):
            case 0:
                return ["supersedes:", *(f"  - {form}" for form in forms)]
            case 1:
                return [f"supersedes: [{', '.join(forms)}]"]
            case _ if len(forms) == 1:
                return [f"supersedes: {forms[0]}"]
            case _:
                return ["supersedes:", *(f"- {form}" for form in forms)]

    def _reference(self, name: Name, target: Name) -> str:
        stem = target.stem
        relative = f"../../{target.path}" if target.folder != name.folder else f"{stem}.md"
        return self._rng.choice((stem, stem, f"{stem}.md", f'"[[{stem}]]"', f"'{stem}'", target.path, relative))

    def _body(self, name: Name, targets: list[Name]) -> str:
        rng = self._rng
        parts = [f"# {self._title(name)}\n\n## Context\n\n", self._paragraph(rng.randrange(3, 6))]
        size = sum(map(len, parts))
        special = self._special_parts(targets)
        while size < SIZE - 500 or special:
            part = special.pop() if special and (size > 700 or rng.random() < 0.3) else self._plain_part()
            parts.append(part)
            size += len(part)
        if size < SIZE - 150:
            parts.append(self._paragraph(max(1, (SIZE - 100 - size) // 70)))
        return "".join(parts)

    def _special_parts(self, targets: list[Name]) -> list[str]:
        """Paragraphs that say something about other memos, or hold code."""
        rng = self._rng
        parts = []
        if targets and rng.random() < 0.6:
            said = (self._fill(rng.choice(wording.DECLARED), link=self._link(target)) for target in targets)
            parts.append(" ".join(said) + "\n\n")
        if rng.random() < _WITH_REPLACEMENT:
            parts.append(f"{self._fill(rng.choice(wording.REPLACEMENTS))} {self._paragraph(2)}")
        if rng.random() < _WITH_FOREIGN:
            parts.append(f"{self._fill(rng.choice(wording.FOREIGN))}\n\n")
        for _ in range(rng.randrange(3)):
            other = rng.choice(self._names)
            parts.append(f"{self._fill(rng.choice(wording.MENTIONS), link=self._link(other))}\n\n")
        if rng.random() < _WITH_CODE:
            parts.append(self._fill(rng.choice(wording.CODE)) + "\n")
        if rng.random() < _WITH_EXAMPLE:
            parts.append(self._fill(wording.EXAMPLE) + "\n")
        rng.shuffle(parts)
        return parts

    def _plain_part(self) -> str:
        rng = self._rng
        match rng.randrange(6):
            case 0:
                return f"## {rng.choice(('Decision', 'Consequences', 'Steps', 'Notes', 'Risks'))}\n\n"
            case 1:
                return "".join(f"- {sentence}\n" for sentence in self._pick(3)) + "\n"
            case 2:
                return f"{self._pick(1)[0]} Set `{rng.choice(wording.NOUNS)}_max` first.\n\n"
            case _:
                return self._paragraph(rng.randrange(2, 5))

    def _link(self, target: Name) -> str:
        if self._rng.random() < 0.5:
            return f"[[{target.stem}]]"
        return f"[{target.stem.replace('-', ' ')}](../../{target.path})"

    def _title(self, name: Name) -> str:
        return name.stem.replace("-", " ").capitalize()

    def _paragraph(self, sentences: int) -> str:
        return "\n".join(self._pick(sentences)) + "\n\n"

    def _pick(self, count: int) -> list[str]:
        return self._rng.choices(self._sentences, k=count)

    @cached_property
    def _sentences(self) -> list[str]:
        patterns = (
            "The {adjective} {noun} {verb} the {other} {ending}.",
            "Each {noun} {verb} one {other}, and the {adjective} ones wait {ending}.",
            "Every {other} has its own {noun} {ending}.",
            "When the {noun} fails, the {adjective} {other} {verb} it {ending}.",
        )
        return [self._fill(self._rng.choice(patterns)) for _ in range(_SENTENCES)]

    def _fill(self, pattern: str, link: str = "") -> str:
        choose = self._rng.choice
        verb = choose(wording.VERBS)
        return pattern.format(
            adjective=choose(wording.ADJECTIVES),
            noun=choose(wording.NOUNS),
            other=choose(wording.NOUNS),
            verb=verb,
            verb_name=verb.replace(" ", "_"),
            ending=choose(wording.ENDINGS),
            link=link,
        )

    def _day(self, first: int, last: int) -> str:
        rng = self._rng
        return f"{rng.randint(first, last)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
