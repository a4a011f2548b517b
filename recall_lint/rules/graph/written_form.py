"""A memo's name in the form that an author used: brackets, quotes, folder, suffix, alias and anchor stay."""

from typing import Final

from recall_core.frontmatter.reference import build_reference
from recall_core.frontmatter.scalar import write_scalar
from recall_core.model.memo import Memo, Reference, Style

_BLANKS: Final = " \t"


def write_like(reference: Reference, value: str) -> str | None:
    """`value` in the YAML style of `reference`; quoted where that style cannot hold it. None as `write_scalar`."""
    match reference.style:
        case Style.QUOTED:
            return write_scalar(value, reference.written[:1])
        case Style.WIKILINK:
            plain = write_scalar(value)
            return plain and (f"[[{plain}]]" if plain == value else write_scalar(f"[[{value}]]", '"'))
        case Style.PLAIN | Style.BLOCK:
            return write_scalar(value)


def rename(reference: Reference, memo: Memo, declarer: str, *, whole: bool = False) -> Reference | None:
    """`reference`, written in the memo at path `declarer`, as its author would have written it to name `memo`.

    Its span is the place of the old one, its `written` what to put there. A folder is written where there was one: the
    old text where it leads to the memo, else the new folder. Alias and anchor stay, unless they are part of the name
    (`whole`). None for a name that UTF-8 cannot hold.
    """
    before, name, after = _split(reference.value, whole=whole)
    if "#" in memo.key or "|" in memo.key:
        # Such a name counts only as the whole value.
        after = after[len(after.rstrip("]")) :] if before else ""
    suffix = name[-3:] if name[-3:].lower() == ".md" else ""
    new = f"{before}{_folder(name, memo.path, declarer)}{memo.key}{suffix}{after}"
    written = write_like(reference, new)
    return None if written is None else build_reference(written, new, reference.span, reference.style)


def _split(value: str, *, whole: bool) -> tuple[str, str, str]:
    """What stands before, in and after the part of a value that names a memo."""
    start, end = 0, len(value)
    while end - start > 1 and value[start] == "[" and value[end - 1] == "]":
        start, end = start + 1, end - 1
        while start < end and value[start] in _BLANKS:
            start += 1
        while start < end and value[end - 1] in _BLANKS:
            end -= 1
    if not whole:
        cut = next((place for place in range(start, end) if value[place] in "|#"), end)
        end = cut - 1 if value[start:cut].endswith("\\") and value[cut : cut + 1] == "|" else cut
        while start < end and value[end - 1] in _BLANKS:
            end -= 1
    return value[:start], value[start:end], value[end:]


def _folder(name: str, path: str, declarer: str) -> str:
    """The folder to write before a memo's name, with its slash, in the manner of `name`."""
    written, slash, _ = name.rpartition("/")
    target = path.rpartition("/")[0]
    if not slash or "#" in target or "|" in target:
        return ""
    home = declarer.rpartition("/")[0]
    relative = written in (".", "..") or written.startswith(("./", "../"))
    if target == _walk(home, written) or (not relative and target == _walk("", written)):
        return f"{written}/"
    if written.startswith("/") or name.startswith("/"):
        return f"/{target}/" if target else "/"
    if relative:
        return _relative(target, home)
    return f"{target}/" if target else ""


def _walk(start: str, steps: str) -> str | None:
    """The folder that `steps` lead to from the folder `start`, or None where they leave the root."""
    folders = [] if steps.startswith("/") or not start else start.split("/")
    for step in steps.split("/"):
        if step == "..":
            if not folders:
                return None
            folders.pop()
        elif step not in ("", "."):
            folders.append(step)
    return "/".join(folders)


def _relative(target: str, home: str) -> str:
    to, start = (folder.split("/") if folder else [] for folder in (target, home))
    shared = 0
    while shared < min(len(to), len(start)) and to[shared] == start[shared]:
        shared += 1
    steps = [".."] * (len(start) - shared) or ["."]
    return "/".join([*steps, *to[shared:]]) + "/"
