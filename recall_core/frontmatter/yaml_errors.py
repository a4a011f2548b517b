"""What a YAML error means for somebody who writes memos: the place, the cause in their words, and what to type."""

import re
from collections.abc import Callable
from typing import NamedTuple

import yaml

from recall_core.frontmatter.lines import line_at

_CONFLICT = re.compile(r"(?:\A|(?<=[\r\n]))(?:<{7}|={7}|>{7}|\|{7})(?=[ \t\r\n]|\Z)")
_CONFLICT_MARKERS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
_NO_BLANK = re.compile(r"""(?:\A|(?<=[\r\n]))(["']?)(?:supersedes|valid_from|valid_until)\1[ \t]*(:)(?=[^ \t\r\n:])""")
_LINKS = re.compile(r"\[\[[^\[\]\r\n]+\]\]")
_KEY_AND_VALUE = re.compile(r"(\s*(?:-[ \t]+)?(?:[^\s:#][^:\r\n]*?:[ \t]+)?)(.*?)[ \t]*")

_SIGNS = ("a tag", "a block scalar", "an anchor", "an alias", "a directive")
"""What the parsers were reading behind `!`, `|`, `&`, `*` and `%`: hardly what a memo's author meant."""


class Explanation(NamedTuple):
    """Why a block cannot be read: the offset in the block's text, one sentence, and one line of what to do."""

    offset: int
    message: str
    help: str = ""


class _Failure(NamedTuple):
    """What PyYAML raised: where it gave up (`offset`), and where what it was reading then begins (`start`)."""

    block: str
    offset: int
    start: int
    problem: str
    context: str

    @property
    def line(self) -> str:
        return line_at(self.block, self.offset)

    @property
    def sign(self) -> str:
        return self.block[self.offset : self.offset + 1]


def find_conflict(block: str) -> Explanation | None:
    """Git's conflict markers, which YAML often reads as part of a value without a word."""
    if not any(marker in block for marker in _CONFLICT_MARKERS):
        return None
    match = _CONFLICT.search(block)
    if match is None:
        return None
    wanted = "keep one side and remove the markers"
    return Explanation(match.start(), "a merge conflict is left in the metadata", wanted)


def find_missing_blank(block: str) -> Explanation | None:
    """A validity key without a blank behind its colon, which to YAML is no key."""
    match = _NO_BLANK.search(block)
    if match is None:
        return None
    return Explanation(match.start(2), "a blank is missing after the colon", "write `key: value`")


def explain(error: yaml.YAMLError, block: str) -> Explanation:
    """The explanation of what PyYAML raised over `block`."""
    if isinstance(error, yaml.reader.ReaderError):
        return _explain_character(error, block)
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return Explanation(0, "not valid YAML")
    if missing := find_missing_blank(block):
        return missing
    offset = error.problem_mark.index
    start = error.context_mark.index if error.context_mark else offset
    failure = _Failure(block, offset, start, _as_c_parser_says(error.problem or ""), error.context or "")
    for explainer in (_explain_scalar, _explain_links):
        if explanation := explainer(failure):
            return explanation
    for beginning, describe in _BY_PROBLEM:
        if failure.problem.startswith(beginning):
            return describe(failure)
    context, problem = failure.context, failure.problem
    reason = f"{context}, {problem}" if context and not context.startswith("while parsing a block") else problem
    return Explanation(offset, f"not valid YAML: {reason}")


def _as_c_parser_says(problem: str) -> str:
    """The words of the C parser for what the Python one says in its own."""
    if problem.startswith("expected <block end>"):
        return "did not find expected key"
    if problem.startswith("expected ',' or"):
        return problem.replace("expected", "did not find expected", 1).partition(", but got")[0]
    if problem.startswith("expected the node content"):
        return "did not find expected node content"
    if problem.startswith("sequence entries"):
        return f"block {problem}"
    if problem.startswith("found character") and problem.endswith("that cannot start any token"):
        return "found character that cannot start any token"
    return problem


def _explain_character(error: yaml.reader.ReaderError, block: str) -> Explanation:
    code = error.character
    offset = block.find(chr(code))  # its own position counts bytes with one parser and characters with the other
    message = f"the control character U+{code:04X} is not allowed in metadata"
    return Explanation(max(offset, 0), message, "remove it")


def _explain_scalar(failure: _Failure) -> Explanation | None:
    if "quoted scalar" in failure.context and (
        "unexpected end" in failure.problem or "document indicator" in failure.problem
    ):
        return Explanation(failure.start, "this quote is never closed", "close it on the same line")
    if failure.context.endswith(_SIGNS):
        sign = failure.block[failure.start : failure.start + 1]
        message = f"`{sign}` cannot start this value without quotes"
        return Explanation(failure.start, message, _quote(failure.line))
    return None


def _explain_links(failure: _Failure) -> Explanation | None:
    if not failure.problem.startswith("did not find expected") or len(links := _LINKS.findall(failure.line)) < 2:
        return None
    quoted = ", ".join(f'"{link}"' for link in links)
    return Explanation(failure.offset, "several wikilinks need a list", f"write `[{quoted}]`")


def _explain_colon(failure: _Failure) -> Explanation:
    return Explanation(failure.offset, "a colon needs quotes here", _quote(failure.line))


def _explain_start(failure: _Failure) -> Explanation:
    if failure.sign == "\t":
        return _explain_tab(failure)
    message = f"`{failure.sign}` cannot start a value without quotes"
    return Explanation(failure.offset, message, _quote(failure.line))


def _explain_tab(failure: _Failure) -> Explanation:
    return Explanation(failure.offset, "a tab cannot indent YAML", "indent with blanks")


def _explain_indicator(failure: _Failure) -> Explanation:
    wanted = "remove the line, or write the list below the key"
    return Explanation(failure.offset, f"`{failure.sign}` is no value here", wanted)


def _explain_line(failure: _Failure) -> Explanation:
    wanted = "add the colon, or indent the line to continue a value"
    return Explanation(failure.start, "this line is no `key: value`", wanted)


def _explain_collection(failure: _Failure) -> Explanation:
    sign = failure.block[failure.start : failure.start + 1]
    message = f"`{sign}` starts a {'mapping' if sign == '{' else 'list'}, and it does not end as one"
    line, end = line_at(failure.block, failure.start), "}" if sign == "{" else "]"
    wanted = _quote(line) if end in line else f"close it with `{end}`, or put the value in quotes"
    return Explanation(failure.start, message, wanted)


def _explain_missing_value(failure: _Failure) -> Explanation:
    if failure.sign and failure.sign in "]},":
        return _explain_start(failure)
    wanted = "close it, or put the value in quotes"
    return Explanation(failure.offset, "a list or mapping is opened and never closed", wanted)


def _explain_alias(failure: _Failure) -> Explanation:
    return Explanation(failure.offset, "`*` starts an alias that nothing defines", _quote(failure.line))


def _explain_second(failure: _Failure) -> Explanation:
    wanted = "remove the line; one block holds all keys"
    return Explanation(failure.offset, "a second YAML document starts here", wanted)


def _explain_continuation(failure: _Failure) -> Explanation:
    return Explanation(failure.offset, "the line goes on where a new key was expected", _quote(failure.line))


def _explain_depth(failure: _Failure) -> Explanation:
    return Explanation(failure.offset, "this is nested too deep to be read", "write it in fewer levels")


_BY_PROBLEM: tuple[tuple[str, Callable[[_Failure], Explanation]], ...] = (
    ("mapping values", _explain_colon),
    ("found character that cannot start", _explain_start),
    ("found a tab character", _explain_tab),
    ("block sequence entries", _explain_indicator),
    ("mapping keys are not", _explain_indicator),
    ("could not find expected ':'", _explain_line),
    ("did not find expected ',' or", _explain_collection),
    ("did not find expected node content", _explain_missing_value),
    ("found undefined alias", _explain_alias),
    ("but found another document", _explain_second),
    ("did not find expected '<document start>'", _explain_second),
    ("did not find expected key", _explain_continuation),
    ("exceeded maximum nesting", _explain_depth),
)


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
