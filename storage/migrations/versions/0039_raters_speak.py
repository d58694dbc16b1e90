"""Store raters' reports on items, withdrawn items, and managers' messages to raters.

Raters' actions get the kind "report". SQLite cannot change a check, so that the table of events is made anew there,
with its rows, indexes and triggers.
"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

BEFORE = "'rating', 'reveal', 'note', 'sentence', 'whole'"
AFTER = f"{BEFORE}, 'report'"


def upgrade() -> None:
    _change_kinds(BEFORE, AFTER)
    op.add_column("items", sa.Column("withdrawn_at", sa.DateTime(), nullable=True))
    only = sa.text("withdrawn_at IS NOT NULL")
    op.create_index("ix_items_withdrawn", "items", ["study_id"], sqlite_where=only, postgresql_where=only)
    op.create_table(
        "item_reports",
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("skipped", sa.Boolean(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "reason IN ('broken_picture', 'offensive', 'cannot_judge', 'other')", name=op.f("ck_item_reports_reason")
        ),
        sa.ForeignKeyConstraint(
            ["item_id", "rater_id"],
            ["assignments.item_id", "assignments.rater_id"],
            name=op.f("fk_item_reports_item_id_rater_id"),
        ),
        sa.ForeignKeyConstraint(
            ["study_id", "item_id"], ["items.study_id", "items.id"], name=op.f("fk_item_reports_study_id_item_id")
        ),
        sa.PrimaryKeyConstraint("item_id", "rater_id", name=op.f("pk_item_reports")),
    )
    op.create_index(op.f("ix_item_reports_study_id_item_id"), "item_reports", ["study_id", "item_id"])
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=True),
        sa.Column("item_id", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("length(text) > 0", name=op.f("ck_messages_text")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_messages_study_id")),
        sa.ForeignKeyConstraint(["rater_id"], ["raters.id"], name=op.f("fk_messages_rater_id")),
        sa.ForeignKeyConstraint(
            ["study_id", "item_id"], ["items.study_id", "items.id"], name=op.f("fk_messages_study_id_item_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
    )
    op.create_index(op.f("ix_messages_study_id"), "messages", ["study_id"])
    op.create_table(
        "message_reads",
        sa.Column("message_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name=op.f("fk_message_reads_message_id")),
        sa.ForeignKeyConstraint(["rater_id"], ["raters.id"], name=op.f("fk_message_reads_rater_id")),
        sa.PrimaryKeyConstraint("message_id", "rater_id", name=op.f("pk_message_reads")),
    )


def downgrade() -> None:
    for table in ("message_reads", "messages", "item_reports"):
        op.drop_table(table)
    op.drop_index("ix_items_withdrawn", "items")
    op.drop_column("items", "withdrawn_at")
    _change_kinds(AFTER, BEFORE)


def _change_kinds(old: str, new: str) -> None:
    """Change which kinds of events there are. Events of other kinds are deleted."""
    connection, name = op.get_bind(), op.f("ck_events_kind")
    if connection.dialect.name != "sqlite":
        op.drop_constraint(name, "events", type_="check")
        op.execute("ALTER TABLE events DISABLE TRIGGER USER")  # events can only be added
        op.execute(sa.text(f"DELETE FROM events WHERE kind NOT IN ({new})"))
        op.execute("ALTER TABLE events ENABLE TRIGGER USER")
        op.create_check_constraint(name, "events", f"kind IN ({new})")
        return
    made = "SELECT sql FROM sqlite_master WHERE tbl_name = 'events' AND sql IS NOT NULL AND type = :type"
    table, indexes, triggers = (
        connection.scalars(sa.text(made), {"type": kind}).all() for kind in ("table", "index", "trigger")
    )
    (text,) = table
    assert text.count(f"({old})") == 1, "the check of the kinds of events was written otherwise"
    op.execute(sa.text(f"CREATE TABLE events_held AS SELECT * FROM events WHERE kind IN ({new})"))
    op.drop_table("events")
    connection.exec_driver_sql(text.replace(f"({old})", f"({new})"))
    op.execute(sa.text("INSERT INTO events SELECT * FROM events_held"))
    op.drop_table("events_held")
    for statement in (*indexes, *triggers):
        connection.exec_driver_sql(statement)
