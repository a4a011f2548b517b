"""What the core asks of the world, as protocols; `adapters` answers."""
