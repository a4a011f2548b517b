"""Whether the text says what the metadata does not."""
