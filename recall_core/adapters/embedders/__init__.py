"""The embedding models that come with recall, and those that a user may choose."""
