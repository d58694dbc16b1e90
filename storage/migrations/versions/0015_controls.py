"""Training, gold and repeats among the items of a study; how its raters are watched."""

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
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
    """Take the controls' items away, which would count as the study's own, with all that was done to them."""
    connection = op.get_bind()
    items = "SELECT item_id FROM controls"
    given = f"SELECT id FROM assignments WHERE item_id IN ({items})"
    with _events_may_go(connection):
        op.execute(f"DELETE FROM events WHERE assignment_id IN ({given})")
    for table in ("ratings", "assignments", "item_scores"):
        op.execute(f"DELETE FROM {table} WHERE item_id IN ({items})")
    gone = list(connection.scalars(sa.text(items)))
    op.drop_table("study_quality")
    op.drop_table("controls")
    for item in gone:
        connection.execute(sa.text("DELETE FROM items WHERE id = :item"), {"item": item})


@contextmanager
def _events_may_go(connection: sa.Connection) -> Iterator[None]:
    """Take off, for a moment, what keeps events from being deleted."""
    if connection.dialect.name != "sqlite":
        op.execute("ALTER TABLE events DISABLE TRIGGER USER")
        yield
        op.execute("ALTER TABLE events ENABLE TRIGGER USER")
        return
    guards = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'"
    triggers = connection.execute(sa.text(guards)).all()
    for name, _ in triggers:
        op.execute(f"DROP TRIGGER {name}")
    yield
    for _, sql in triggers:
        connection.exec_driver_sql(sql)
