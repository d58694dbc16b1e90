"""Store values of the researcher's own columns with each sample."""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("samples", sa.Column("own", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    op.drop_column("samples", "own")
