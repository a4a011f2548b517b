"""PostgreSQL from a wheel, started by a launcher of ours."""
