"""Comments to this tool: rules that are not to speak here, questions declined, and the check that each is still needed.

A suppression is `# recall: ignore RL205` in frontmatter, `<!-- recall: ignore RL301 a reason -->` in the body. Beside
other content a comment covers its line; alone, the next line that holds something else than such comments.
`ignore-file` covers the memo, wherever it stands. Each names its rules, by code or name; what follows the names is the
reason. A declined question is `recall: not-superseding TARGET reason`, and holds for the memo.
"""

from recall_lint.suppress.apply import Applied, Unused, UnusedReason, apply
from recall_lint.suppress.decline import Decline, render_decline, render_target, render_yaml_decline
from recall_lint.suppress.parse import Directives, Form, Named, Suppression, may_direct, parse_directives

__all__ = [
    "Applied",
    "Decline",
    "Directives",
    "Form",
    "Named",
    "Suppression",
    "Unused",
    "UnusedReason",
    "apply",
    "may_direct",
    "parse_directives",
    "render_decline",
    "render_target",
    "render_yaml_decline",
]
