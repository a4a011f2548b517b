"""From the bytes of a file to a memo's fields with their places, and back again as edits."""
