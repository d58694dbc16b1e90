"""Find the samples with values of own columns by an index, because most data sets have none."""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

INDEX = "ix_samples_own"
KNOWN = sa.text("own IS NOT NULL")


def upgrade() -> None:
    op.create_index(INDEX, "samples", ["dataset_id"], sqlite_where=KNOWN, postgresql_where=KNOWN)


def downgrade() -> None:
    op.drop_index(INDEX, "samples")
