"""SARIF 2.1.0, for code scanning services.

Places are relative to `%SRCROOT%` and the root itself is not written: the same commit gives the same file everywhere.
Fingerprints are made of what a finding says about which text, not where it stands, so they outlive moved lines.
"""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from typing import assert_never
from urllib.parse import quote

from recall_core.adapters.encode import dumps, text
from recall_core.model.escape import encodable, visible
from recall_core.model.span import Span
from recall_lint.diagnostic import Applicability, Diagnostic, Fix, Related, Severity
from recall_lint.formats.report import Report, RuleSummary, View

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_BASE = "%SRCROOT%"


def render(report: Report, _view: View) -> Iterator[str]:
    """The whole report, infos as notes; a result a line."""
    rules = _rules(report)
    indexes = {code: index for index, code in enumerate(rules)}
    head = {
        "tool": {
            "driver": {
                "name": "recall",
                "version": report.tool_version,
                "rules": [_rule_object(code, rule) for code, rule in rules.items()],
            }
        },
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [{"level": "note", "message": _message(note)} for note in report.notes],
            }
        ],
        "originalUriBaseIds": {_BASE: {"description": {"text": "The top of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "properties": {"at": report.at, "memos": report.memos, "suppressed": report.suppressed},
    }
    yield f'{{"$schema":{dumps(_SCHEMA)},"version":"2.1.0","runs":[\n{dumps(head)[:-1]},"results":['
    seen: Counter[str] = Counter()
    separator = "\n"
    for diagnostic in report.diagnostics:
        digest = _digest(diagnostic)
        seen[digest] += 1
        yield f"{separator}{dumps(_result(report, diagnostic, indexes[diagnostic.code], f'{digest}:{seen[digest]}'))}"
        separator = ",\n"
    yield "\n]}]}\n" if report.diagnostics else "]}]}\n"


def _rules(report: Report) -> dict[str, RuleSummary]:
    """The rules told of, and any other that has a finding, by code."""
    unknown = {each.code: RuleSummary(each.rule, "", each.severity) for each in report.diagnostics}
    return dict(sorted((unknown | dict(report.rules)).items()))


def _rule_object(code: str, rule: RuleSummary) -> dict[str, object]:
    return {
        "id": code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary or rule.name},
        "defaultConfiguration": {"level": _level(rule.severity)},
    }


def _level(severity: Severity) -> str:
    match severity:
        case Severity.ERROR:
            return "error"
        case Severity.WARNING:
            return "warning"
        case Severity.INFO:
            return "note"
        case Severity.OFF:
            return "none"
        case _:
            assert_never(severity)


def _result(report: Report, diagnostic: Diagnostic, rule_index: int, fingerprint: str) -> dict[str, object]:
    message = f"{diagnostic.message}\n{diagnostic.help}" if diagnostic.help else diagnostic.message
    result: dict[str, object] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule_index,
        "level": _level(diagnostic.severity),
        "message": _message(message),
        "locations": [{"physicalLocation": _place(report.prefix + diagnostic.path, diagnostic.span)}],
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            _related_object(report, index, each) for index, each in enumerate(diagnostic.related, 1)
        ]
    # The name under which code scanning looks for one; without it, it makes its own.
    result["partialFingerprints"] = {"primaryLocationLineHash": fingerprint}
    if diagnostic.fix and diagnostic.fix.applicability is not Applicability.DISPLAY:
        result["fixes"] = [_fix_object(report.prefix + diagnostic.path, diagnostic.fix)]
    result["properties"] = {"clock": diagnostic.clock}
    return result


def _message(message: str) -> dict[str, str]:
    # `[text](target)` would be a link in a message, and memo text is full of brackets. Lines of our own stay lines.
    return {"text": "\n".join(visible(line) for line in message.split("\n")).replace("](", "\\](")}


def _related_object(report: Report, index: int, related: Related) -> dict[str, object]:
    return {
        "id": index,
        "message": _message(related.message),
        "physicalLocation": _place(report.prefix + related.path, related.span),
    }


def _place(path: str, span: Span | None) -> dict[str, object]:
    place: dict[str, object] = {"artifactLocation": _artifact(path)}
    if span is not None:
        place["region"] = _region(span)
    return place


def _artifact(path: str) -> dict[str, object]:
    """The file as a URI reference: every byte that a URI may not hold is percent-encoded, UTF-8 or not."""
    return {"uri": quote(_path_bytes(path), safe="/"), "uriBaseId": _BASE}


def _path_bytes(path: str) -> bytes:
    try:
        return path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that stands for no byte: no file system made this name
        return encodable(path).encode()


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _fix_object(path: str, fix: Fix) -> dict[str, object]:
    flag = "--fix" if fix.applicability is Applicability.SAFE else "--fix --unsafe-fixes"
    replacements = [
        {"deletedRegion": _region(edit.span), "insertedContent": {"text": text(edit.text)}} for edit in fix.edits
    ]
    return {
        "description": {"text": f"{fix.applicability.value} fix, written by `recall lint {flag}`"},
        "artifactChanges": [{"artifactLocation": _artifact(path), "replacements": replacements}],
    }


def _digest(diagnostic: Diagnostic) -> str:
    parts = (diagnostic.code, diagnostic.path, diagnostic.line_text.strip())
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
