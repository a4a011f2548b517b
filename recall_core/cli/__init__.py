"""The operator's commands, loaded when asked for."""
