"""Store the language of a study's pages."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("studies", sa.Column("language", sa.String(), server_default=sa.text("'en'"), nullable=False))


def downgrade() -> None:
    op.drop_column("studies", "language")
