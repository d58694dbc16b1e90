"""Store which benchmark a data set was imported from, so that its rules apply under any name."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("datasets", sa.Column("benchmark", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("datasets", "benchmark")
