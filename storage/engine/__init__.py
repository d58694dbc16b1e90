"""Open databases, migrate them, and hide the differences between SQLite and PostgreSQL."""
