"""Every safe fix of one memo, made until none is left."""

from recall_core.frontmatter.edit import EditError, apply_edits, without_overlaps
from recall_lint.diagnostic import Applicability
from recall_lint.lsp.page import Page
from recall_lint.suppress.apply import UNUSED_SUPPRESSION

_MOST_PASSES = 8
"""As on the command line: a fix may uncover another finding that has one."""


def fix_all(page: Page) -> bytes:
    """What the memo holds once `recall lint --fix` has gone over it; files and buffers stay as they are."""
    root, content = page.desk.root, page.content
    judgment = page.desk.judgment
    for _ in range(_MOST_PASSES):
        found = [
            each
            for each in judgment.findings.get(page.path, ())
            if each.fix is not None and each.fix.applicability is Applicability.SAFE
        ]
        # What silences nothing now may be needed once the rest is mended, so it goes last.
        first = [each for each in found if each.code != UNUSED_SUPPRESSION] or found
        groups = without_overlaps(each.fix.edits for each in first if each.fix is not None)
        try:
            after = apply_edits(content, [edit for group in groups for edit in group])
        except (EditError, UnicodeDecodeError):
            return content
        if after == content:
            break
        content = after
        judgment = root.judge_with(page.path, content)
    return content
