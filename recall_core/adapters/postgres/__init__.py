"""The store on PostgreSQL with pgvector."""
