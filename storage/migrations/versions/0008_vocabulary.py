"""What a picture was searched for when it was annotated."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("images", sa.Column("vocabulary", sa.JSON(), server_default="[]", nullable=False))


def downgrade() -> None:
    op.drop_column("images", "vocabulary")
