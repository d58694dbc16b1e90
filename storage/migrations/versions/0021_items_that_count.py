"""The number of items that a rater gets counts the study's own items alone; studies from before keep their counting."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    column: sa.Column[bool] = sa.Column("controls_included", sa.Boolean(), server_default=sa.false(), nullable=False)
    op.add_column("study_courses", column)
    courses = sa.table("study_courses", sa.column("controls_included", sa.Boolean), sa.column("items_per_rater"))
    op.execute(courses.update().where(courses.c.items_per_rater.is_not(None)).values(controls_included=True))


def downgrade() -> None:
    op.drop_column("study_courses", "controls_included")
