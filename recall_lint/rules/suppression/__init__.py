"""Whether the inline suppressions still suppress something."""
