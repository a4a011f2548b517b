"""The language server: what the engine says, converted for an editor. The one place that knows pygls."""
