"""The author's tool: lints the supersession graph and the validity windows of a corpus of memos."""
