"""The world as the ports ask for it: folders, Git, clocks and caches."""
