"""People whom a panel sends; consent and questions before and after a study's items."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "link_panels",
        sa.Column("link_id", sa.Integer(), nullable=False),
        sa.Column("panel", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["link_id"], ["study_links.id"], name=op.f("fk_link_panels_link_id")),
        sa.PrimaryKeyConstraint("link_id", name=op.f("pk_link_panels")),
    )
    op.create_table(
        "study_entries",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("entry", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_study_entries_study_id")),
        sa.PrimaryKeyConstraint("study_id", name=op.f("pk_study_entries")),
    )
    moments = ("consented_at", "answered_at", "screened_out_at", "returned_at", "answered_after_at")
    op.create_table(
        "visits",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("came_at", sa.DateTime(), nullable=False),
        *(sa.Column(name, sa.DateTime(), nullable=True) for name in moments),
        sa.ForeignKeyConstraint(["rater_id"], ["raters.id"], name=op.f("fk_visits_rater_id")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_visits_study_id")),
        sa.PrimaryKeyConstraint("study_id", "rater_id", name=op.f("pk_visits")),
    )
    op.create_table(
        "entry_answers",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("answer", sa.String(), nullable=False),
        sa.CheckConstraint("phase IN ('before', 'after')", name=op.f("ck_entry_answers_phase")),
        sa.ForeignKeyConstraint(
            ["study_id", "rater_id"],
            ["visits.study_id", "visits.rater_id"],
            name=op.f("fk_entry_answers_study_id_rater_id"),
        ),
        sa.PrimaryKeyConstraint("study_id", "rater_id", "phase", "question", name=op.f("pk_entry_answers")),
    )
    op.create_table(
        "platform_people",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("link_id", sa.Integer(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.Column("platform_study", sa.String(), nullable=False),
        sa.Column("session", sa.String(), nullable=False),
        sa.CheckConstraint("length(person) > 0", name=op.f("ck_platform_people_person")),
        sa.ForeignKeyConstraint(["link_id"], ["study_links.id"], name=op.f("fk_platform_people_link_id")),
        sa.ForeignKeyConstraint(["rater_id"], ["raters.id"], name=op.f("fk_platform_people_rater_id")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_platform_people_study_id")),
        sa.PrimaryKeyConstraint("study_id", "rater_id", name=op.f("pk_platform_people")),
        sa.UniqueConstraint("study_id", "person", name=op.f("uq_platform_people_study_id_person")),
    )


def downgrade() -> None:
    for table in ("platform_people", "entry_answers", "visits", "study_entries", "link_panels"):
        op.drop_table(table)
