"""Make all tables, indexes and triggers from the tables' metadata.

Until version 0.3.0 is released, the tables are changed in storage/tables, and this revision follows them.
"""

from alembic import op

from storage.tables import Table

revision = "0.3.0"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    Table.metadata.create_all(op.get_bind())
