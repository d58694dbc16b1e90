"""Run the migrations on the given connection. Alembic loads this module."""

from alembic import context

from storage.tables import Table

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Table.metadata,
    render_as_batch=True,  # for SQLite, where Alembic changes a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
