"""Add who works at a data set that nobody sees yet, or nobody sees any more."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("datasets", sa.Column("hidden", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("datasets", "hidden")
