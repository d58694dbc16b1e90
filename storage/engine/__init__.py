"""The database itself: opening it, what differs between SQLite and PostgreSQL, migrations, turns of writers."""
