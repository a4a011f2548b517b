"""The second judgment of a search: not which memo looks most like the query, but whether it should be believed."""
