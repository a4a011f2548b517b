"""Inline suppressions: comments that name a rule which is not to speak here, and the check that each is still needed.

In frontmatter `# recall: ignore RL205`, in the body `<!-- recall: ignore RL301 a reason -->`. Beside other content a
comment covers its line; alone, the next line that holds something else than such comments. `ignore-file` covers the
memo, wherever it stands. Each names its rules, by code or name; what follows the names is the reason.
"""

from recall_lint.suppress.apply import Applied, Unused, UnusedReason, apply
from recall_lint.suppress.parse import Form, Named, Suppression, may_suppress, parse_suppressions

__all__ = [
    "Applied",
    "Form",
    "Named",
    "Suppression",
    "Unused",
    "UnusedReason",
    "apply",
    "may_suppress",
    "parse_suppressions",
]
