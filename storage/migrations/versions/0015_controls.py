"""Training, gold and repeats among the items of a study; how its raters are watched."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0013"
branch_labels = None
depends_on = None

OF_ITEM = ["items.study_id", "items.id"]


def upgrade() -> None:
    op.create_table(
        "controls",
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("original_id", sa.Integer(), nullable=True),
        sa.Column("turned", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("expected", sa.JSON(), nullable=False),
        sa.Column("approved_by", sa.String(), nullable=True),
        sa.Column("approved_at", sa.DateTime(), nullable=True),
        sa.Column("retired_at", sa.DateTime(), nullable=True),
        sa.CheckConstraint("role IN ('training', 'gold', 'repeat')", name=op.f("ck_controls_role")),
        sa.CheckConstraint("(role = 'repeat') = (original_id IS NOT NULL)", name=op.f("ck_controls_original")),
        sa.CheckConstraint("(role = 'repeat') = (approved_at IS NULL)", name=op.f("ck_controls_approved")),
        sa.CheckConstraint("(approved_at IS NULL) = (approved_by IS NULL)", name=op.f("ck_controls_approved_by")),
        sa.ForeignKeyConstraint(["study_id", "item_id"], OF_ITEM, name=op.f("fk_controls_study_id_item_id")),
        sa.ForeignKeyConstraint(["study_id", "original_id"], OF_ITEM, name=op.f("fk_controls_study_id_original_id")),
        sa.PrimaryKeyConstraint("item_id", name=op.f("pk_controls")),
        sa.UniqueConstraint("original_id", name=op.f("uq_controls_original_id")),
    )
    op.create_index("ix_controls_study_id_role", "controls", ["study_id", "role"])
    op.create_table(
        "study_quality",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("thresholds", sa.JSON(), nullable=False),
        sa.Column("gold_every", sa.Integer(), nullable=True),
        sa.Column("repeat_every", sa.Integer(), nullable=True),
        sa.CheckConstraint("gold_every > 0", name=op.f("ck_study_quality_gold_every")),
        sa.CheckConstraint("repeat_every > 0", name=op.f("ck_study_quality_repeat_every")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_study_quality_study_id")),
        sa.PrimaryKeyConstraint("study_id", name=op.f("pk_study_quality")),
    )


def downgrade() -> None:
    items = sa.text("SELECT item_id FROM controls")
    gone = [row.item_id for row in op.get_bind().execute(items)]  # they would count as the study's own
    for table, column in (
        ("ratings", "item_id"),
        ("events", "assignment_id"),
        ("assignments", "item_id"),
        ("item_scores", "item_id"),
    ):
        of = "SELECT id FROM assignments WHERE item_id = :item" if column == "assignment_id" else ":item"
        for item in gone:
            op.get_bind().execute(sa.text(f"DELETE FROM {table} WHERE {column} IN ({of})"), {"item": item})
    op.drop_table("study_quality")
    op.drop_table("controls")
    for item in gone:
        op.get_bind().execute(sa.text("DELETE FROM items WHERE id = :item"), {"item": item})
