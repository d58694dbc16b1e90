"""Store what a study pays its raters, and whom they can ask."""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("study_courses", sa.Column("contact", sa.String(), server_default=sa.text("''"), nullable=False))
    # alembic adds no constraints to existing tables of SQLite
    for column in ("hourly_rate", "reward"):
        bounds = f"CONSTRAINT ck_study_courses_{column} CHECK ({column} > 0)"
        op.execute(f"ALTER TABLE study_courses ADD COLUMN {column} INTEGER {bounds}")
    together = "(currency IS NULL) = (hourly_rate IS NULL AND reward IS NULL)"
    op.execute(
        f"ALTER TABLE study_courses ADD COLUMN currency VARCHAR CONSTRAINT ck_study_courses_currency CHECK ({together})"
    )


def downgrade() -> None:
    for column in ("currency", "reward", "hourly_rate", "contact"):
        op.drop_column("study_courses", column)
