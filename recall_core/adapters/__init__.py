"""The world as the ports see it: files, Git, clock, cache, terminal, configuration."""
