"""Add what a score cost: tokens as a model server counted them, and seconds by part."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("usage", "seconds"):
        op.add_column("scores", sa.Column(name, sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    for name in ("seconds", "usage"):
        op.drop_column("scores", name)
