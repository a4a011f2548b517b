"""Frozen values that everything else speaks in."""
