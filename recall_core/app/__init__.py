"""Use cases: what the operator's commands do once their command line is understood."""
