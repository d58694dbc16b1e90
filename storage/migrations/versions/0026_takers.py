"""Keep how many raters hold each item, and how far each rater's order has been searched.

Triggers count an item's raters anew after every change, so that no order of changes can make the count wrong. The count
leaves out pilots, released assignments and excluded raters. Items of studies in which every rater rates every item are
not counted. Triggers leave items alone whose count is below 0: a bulk copy sets it and counts in the end.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

RECOUNT = """UPDATE items SET takers = f.takers,
  reopened = (f.takers < f.raters_per_item AND (items.reopened OR items.takers >= f.raters_per_item))
FROM (SELECT i.id, s.raters_per_item, (SELECT count(*) FROM assignments a
    JOIN participations p ON p.study_id = a.study_id AND p.rater_id = a.rater_id
    LEFT JOIN exclusions e ON e.study_id = a.study_id AND e.rater_id = a.rater_id
    WHERE a.item_id = i.id AND a.released_at IS NULL AND e.at IS NULL AND NOT p.pilot) AS takers
  FROM items i JOIN studies s ON s.id = i.study_id
  WHERE s.raters_per_item IS NOT NULL AND i.place >= 0 AND i.takers >= 0 {which}) AS f
WHERE items.id = f.id AND items.takers <> f.takers"""
OF_ASSIGNMENT = RECOUNT.format(which="AND i.id = {row}.item_id")
OF_RATER = RECOUNT.format(
    which="AND i.id IN (SELECT item_id FROM assignments WHERE study_id = {row}.study_id AND rater_id = {row}.rater_id)"
)
COUNTED = "(SELECT takers FROM items WHERE id = {row}.item_id) >= 0"  # only SQLite takes a query as a condition
CHANGES = (
    ("assignments_taken", "AFTER INSERT ON assignments", COUNTED.format(row="NEW"), OF_ASSIGNMENT.format(row="NEW")),
    (
        "assignments_released",
        "AFTER UPDATE OF released_at ON assignments",
        "(OLD.released_at IS NULL) <> (NEW.released_at IS NULL)",
        OF_ASSIGNMENT.format(row="NEW"),
    ),
    ("assignments_gone", "AFTER DELETE ON assignments", COUNTED.format(row="OLD"), OF_ASSIGNMENT.format(row="OLD")),
    ("exclusions_made", "AFTER INSERT ON exclusions", "", OF_RATER.format(row="NEW")),
    ("exclusions_gone", "AFTER DELETE ON exclusions", "", OF_RATER.format(row="OLD")),
)


def upgrade() -> None:
    op.add_column("items", sa.Column("takers", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.add_column("items", sa.Column("reopened", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("participations", sa.Column("reached", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.execute(RECOUNT.format(which=""))
    op.create_index("ix_items_takers", "items", ["study_id", "takers"], **_where("place >= 0"))
    op.create_index("ix_items_reopened", "items", ["study_id", "reopened"], **_where("reopened = 1", "reopened"))
    columns = ["study_id", "rater_id", "place"]
    op.create_index("ix_assignments_unfinished", "assignments", columns, **_where("finished_at IS NULL"))
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for name, event, condition, change in CHANGES:
        when = f"WHEN ({condition})" if condition and (is_sqlite or "SELECT" not in condition) else ""
        if is_sqlite:
            op.execute(f"CREATE TRIGGER {name} {event} {when} BEGIN {change}; END")
        else:
            op.execute(
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {change}; RETURN NULL; END $$"
            )
            op.execute(f"CREATE TRIGGER {name} {event} FOR EACH ROW {when} EXECUTE FUNCTION {name}()")


def downgrade() -> None:
    for name, event, _, _ in reversed(CHANGES):
        if op.get_bind().dialect.name == "sqlite":
            op.execute(f"DROP TRIGGER {name}")
        else:
            op.execute(f"DROP TRIGGER {name} ON {event.rpartition(' ')[2]}")
            op.execute(f"DROP FUNCTION {name}()")
    op.drop_index("ix_assignments_unfinished", "assignments")
    op.drop_index("ix_items_reopened", "items")
    op.drop_index("ix_items_takers", "items")
    op.drop_column("participations", "reached")
    op.drop_column("items", "reopened")
    op.drop_column("items", "takers")


def _where(sqlite: str, postgresql: str | None = None) -> dict[str, Any]:
    return {"sqlite_where": sa.text(sqlite), "postgresql_where": sa.text(postgresql or sqlite)}
