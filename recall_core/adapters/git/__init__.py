"""Git as a source of memos, of what changed, and of when a memo was recorded."""
