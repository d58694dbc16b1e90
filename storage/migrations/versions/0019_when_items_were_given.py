"""When each item was given to its rater: no answer to an item is dated before that.

Rows from before this revision have no such time.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("assignments", sa.Column("given_at", sa.DateTime(), nullable=True))


def downgrade() -> None:
    op.drop_column("assignments", "given_at")
