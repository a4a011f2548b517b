"""What `recall fix` writes: edges that prose proves, and the answers that authors give."""
