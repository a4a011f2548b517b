"""The store in memory: for tests, demonstrations and small corpora."""
