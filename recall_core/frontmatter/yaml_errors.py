"""What a YAML error means for somebody who writes memos: the place, the cause in their words, and what to type."""

import re
from dataclasses import dataclass

import yaml

_CONFLICT = re.compile(r"(?:\A|(?<=[\r\n]))(?:<{7}|={7}|>{7}|\|{7})(?=[ \t\r\n]|\Z)")
_NO_BLANK = re.compile(r"(?:\A|(?<=[\r\n]))(?:supersedes|valid_from|valid_until)(:)(?=[^ \t\r\n:])")
_LINKS = re.compile(r"\[\[[^\[\]\r\n]+\]\]")
_KEY_AND_VALUE = re.compile(r"(\s*(?:-[ \t]+)?(?:[^\s:#][^:\r\n]*?:[ \t]+)?)(.*?)[ \t]*")


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a block cannot be read: the offset in the block's text, one sentence, and one line of what to do."""

    offset: int
    message: str
    help: str = ""


def find_conflict(block: str) -> Explanation | None:
    """Git's conflict markers, which YAML often reads as part of a value without a word."""
    match = _CONFLICT.search(block)
    if match is None:
        return None
    return Explanation(match.start(), "a merge conflict is left in the metadata", "keep one side and remove the markers")


def explain(error: yaml.YAMLError, block: str) -> Explanation:
    """The explanation of what PyYAML raised over `block`."""
    if isinstance(error, yaml.reader.ReaderError):
        return _explain_character(error, block)
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return Explanation(0, "not valid YAML")
    if missing := _NO_BLANK.search(block):
        return Explanation(missing.start(1), "a blank is missing after the colon", "write `key: value`")
    offset = error.problem_mark.index
    problem, context = error.problem or "", error.context or ""
    line = _line(block, offset)
    if "quoted scalar" in context and ("unexpected end" in problem or "document indicator" in problem):
        return Explanation(error.context_mark.index, "this quote is never closed", "close it on the same line")
    if problem.startswith("did not find expected") and len(links := _LINKS.findall(line)) > 1:
        quoted = ", ".join(f'"{link}"' for link in links)
        return Explanation(offset, "several wikilinks need a list", f"write `[{quoted}]`")
    if problem.startswith("mapping values"):
        return Explanation(offset, "a colon needs quotes here", _quote(line))
    if problem.startswith("found character that cannot start"):
        return _explain_start(block, offset, line)
    if problem.startswith(("block sequence entries", "mapping keys are not")):
        sign = block[offset : offset + 1]
        return Explanation(offset, f"`{sign}` is no value here", "remove the line, or write the list below the key")
    if problem.startswith("could not find expected ':'"):
        start = error.context_mark.index if error.context_mark else offset
        return Explanation(start, "this line is no `key: value`", "add the colon, or indent the line to continue a value")
    if problem.startswith("did not find expected ',' or"):
        start = error.context_mark.index if error.context_mark else offset
        kind = "mapping" if block[start : start + 1] == "{" else "list"
        message = f"`{block[start : start + 1]}` starts a {kind}, and it does not end as one"
        return Explanation(start, message, _quote(_line(block, start)))
    if "undefined alias" in problem:
        return Explanation(offset, "`*` starts an alias that nothing defines", _quote(line))
    if problem.startswith("but found another document"):
        return Explanation(offset, "a second YAML document starts here", "remove the line; one block holds all keys")
    if problem.startswith("did not find expected key"):
        return Explanation(offset, "the line goes on where a new key was expected", _quote(line))
    reason = f"{context}, {problem}" if context and not context.startswith("while parsing a block") else problem
    return Explanation(offset, f"not valid YAML: {reason}")


def _explain_character(error: yaml.reader.ReaderError, block: str) -> Explanation:
    code = error.character if isinstance(error.character, int) else ord(str(error.character)[:1] or "\0")
    offset = block.find(chr(code))  # its own position counts bytes with one parser and characters with the other
    return Explanation(max(offset, 0), f"the control character U+{code:04X} is not allowed in metadata", "remove it")


def _explain_start(block: str, offset: int, line: str) -> Explanation:
    sign = block[offset : offset + 1]
    if sign == "\t":
        return Explanation(offset, "a tab cannot indent YAML", "indent with blanks")
    return Explanation(offset, f"`{sign}` cannot start a value without quotes", _quote(line))


def _quote(line: str) -> str:
    """The line with its value in double quotes, or in single ones where it holds a double quote or a backslash."""
    match = _KEY_AND_VALUE.fullmatch(line)
    if match is None or not match[2] or len(line) > 200:
        return "put the value in quotes"
    value = match[2]
    if '"' not in value and "\\" not in value:
        quoted = f'"{value}"'
    elif "'" not in value:
        quoted = f"'{value}'"
    else:
        return "put the value in quotes"
    return f"put the value in quotes: `{match[1].strip()} {quoted}`"


def _line(block: str, offset: int) -> str:
    start = max(block.rfind("\n", 0, offset), block.rfind("\r", 0, offset)) + 1
    end = re.compile(r"[\r\n]|\Z").search(block, offset)
    return block[start : end.start() if end else len(block)]
