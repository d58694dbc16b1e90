"""Store whether new raters may join a study, so that raters at work can finish before it is closed."""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("study_courses", sa.Column("new_raters", sa.Boolean(), server_default=sa.true(), nullable=False))


def downgrade() -> None:
    op.drop_column("study_courses", "new_raters")
