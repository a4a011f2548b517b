"""The command line: what it prints, what it writes, and the exit status."""
