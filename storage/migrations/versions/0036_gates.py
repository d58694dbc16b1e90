"""Store answers to comprehension checks, and the number of failed gold items after which a rater is stopped."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "check_answers",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.Column("is_right", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("attempt BETWEEN 1 AND 2", name=op.f("ck_check_answers_attempt")),
        sa.ForeignKeyConstraint(
            ["study_id", "rater_id"],
            ["visits.study_id", "visits.rater_id"],
            name=op.f("fk_check_answers_study_id_rater_id"),
        ),
        sa.PrimaryKeyConstraint("study_id", "rater_id", "attempt", "place", name=op.f("pk_check_answers")),
    )
    for column in ("check_passed_at", "check_failed_at"):
        op.add_column("visits", sa.Column(column, sa.DateTime(), nullable=True))
    # alembic adds no constraints to existing tables of SQLite
    bounds = "CONSTRAINT ck_study_quality_stop_after_gold CHECK (stop_after_gold > 0)"
    op.execute(f"ALTER TABLE study_quality ADD COLUMN stop_after_gold INTEGER {bounds}")
    op.add_column("exclusions", sa.Column("failed_gold", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("participations", sa.Column("gold_lifted", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    op.drop_column("participations", "gold_lifted")
    op.drop_column("exclusions", "failed_gold")
    op.drop_column("study_quality", "stop_after_gold")
    for column in ("check_passed_at", "check_failed_at"):
        op.drop_column("visits", column)
    op.drop_table("check_answers")
