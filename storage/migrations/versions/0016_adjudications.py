"""What somebody decided about questions on which raters lie apart."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

NUMBERS = ("study_id", "item_id", "score_id")
ASKED = ["study_id", "criterion", "lowest", "highest"]


def upgrade() -> None:
    op.create_table(
        "adjudications",
        sa.Column("id", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in NUMBERS),
        sa.Column("criterion", sa.String(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("lowest", "highest", "point")),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("reason", "words", "adjudicator")),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("point BETWEEN lowest AND highest", name=op.f("ck_adjudications_point")),
        sa.CheckConstraint(
            "reason IN ('ambiguous', 'guideline', 'careless', 'subjective')", name=op.f("ck_adjudications_reason")
        ),
        sa.CheckConstraint("length(adjudicator) > 0", name=op.f("ck_adjudications_adjudicator")),
        sa.ForeignKeyConstraint(
            ["item_id", "score_id"],
            ["item_scores.item_id", "item_scores.score_id"],
            name=op.f("fk_adjudications_item_id_score_id"),
        ),
        sa.ForeignKeyConstraint(
            ["study_id", "item_id"], ["items.study_id", "items.id"], name=op.f("fk_adjudications_study_id_item_id")
        ),
        sa.ForeignKeyConstraint(
            ASKED,
            [f"study_criteria.{name}" for name in ASKED],
            name=op.f("fk_adjudications_study_id_criterion_lowest_highest"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_adjudications")),
    )
    op.create_index("ix_adjudications_study_id_item_id", "adjudications", ["study_id", "item_id"])


def downgrade() -> None:
    op.drop_table("adjudications")
