"""Settings to adapters to use cases: the one place of the core that reads the environment."""
