"""Whether a validity window has run out, or soon will."""
