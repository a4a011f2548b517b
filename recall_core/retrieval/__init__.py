"""Rank arithmetic: how the legs of a search are scored and fused."""
