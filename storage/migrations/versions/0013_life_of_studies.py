"""Studies have a course; items go back and to other raters; raters can be excluded and erased.

Events can be taken away by an erasure that is open, and by nothing else.
"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0011"
branch_labels = None
depends_on = None

ONLY_ADDED = "events can only be added"
ERASED = (
    "EXISTS (SELECT 1 FROM erasures WHERE open AND (rater_id = OLD.rater_id OR study = "
    "(SELECT study_id FROM assignments WHERE assignments.id = OLD.assignment_id)))"
)


def upgrade() -> None:
    op.create_table(
        "study_courses",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("deadline", sa.DateTime(), nullable=True),
        sa.Column("pilot_items", sa.Integer(), nullable=True),
        sa.Column("items_per_rater", sa.Integer(), nullable=True),
        sa.Column("hold_hours", sa.Double(), nullable=False),
        sa.CheckConstraint(
            "state IN ('draft', 'pilot', 'running', 'paused', 'closed', 'archived')",
            name=op.f("ck_study_courses_state"),
        ),
        sa.CheckConstraint("pilot_items > 0", name=op.f("ck_study_courses_pilot_items")),
        sa.CheckConstraint("(state <> 'pilot') OR (pilot_items IS NOT NULL)", name=op.f("ck_study_courses_pilot")),
        sa.CheckConstraint("items_per_rater > 0", name=op.f("ck_study_courses_items_per_rater")),
        sa.CheckConstraint("hold_hours > 0", name=op.f("ck_study_courses_hold_hours")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_study_courses_study_id")),
        sa.PrimaryKeyConstraint("study_id", name=op.f("pk_study_courses")),
    )
    op.execute("INSERT INTO study_courses (study_id, state, hold_hours) SELECT id, 'running', 24 FROM studies")
    op.add_column("participations", sa.Column("seen_at", sa.DateTime(), nullable=True))
    op.add_column("participations", sa.Column("pilot", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.drop_column("participations", "offered")
    parts = sa.table("participations", sa.column("seen_at", sa.DateTime))
    op.execute(parts.update().values(seen_at=datetime.now(UTC).replace(tzinfo=None)))
    op.add_column("assignments", sa.Column("slot", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.add_column("assignments", sa.Column("released_at", sa.DateTime(), nullable=True))
    op.execute(
        "UPDATE assignments SET slot = (SELECT number FROM participations WHERE "
        "participations.study_id = assignments.study_id AND participations.rater_id = assignments.rater_id)"
    )
    of_part = sa.ForeignKeyConstraint
    op.create_table(
        "exclusions",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.CheckConstraint("length(reason) > 0", name=op.f("ck_exclusions_reason")),
        of_part(
            ["study_id", "rater_id"],
            ["participations.study_id", "participations.rater_id"],
            name=op.f("fk_exclusions_study_id_rater_id"),
        ),
        sa.PrimaryKeyConstraint("study_id", "rater_id", name=op.f("pk_exclusions")),
    )
    op.create_table(
        "releases",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("why", sa.String(), nullable=False),
        sa.Column("items", sa.Integer(), nullable=False),
        sa.CheckConstraint(
            "why IN ('expired', 'returned', 'timed_out', 'by_hand', 'excluded')", name=op.f("ck_releases_why")
        ),
        sa.CheckConstraint("items > 0", name=op.f("ck_releases_items")),
        of_part(
            ["study_id", "rater_id"],
            ["participations.study_id", "participations.rater_id"],
            name=op.f("fk_releases_study_id_rater_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_releases")),
    )
    op.create_table(
        "erasures",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=True),
        sa.Column("study", sa.Integer(), nullable=True),
        sa.Column("ratings_kept", sa.Boolean(), nullable=False),
        sa.Column("events_gone", sa.Integer(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.CheckConstraint("(rater_id IS NULL) <> (study IS NULL)", name=op.f("ck_erasures_of_one")),
        sa.ForeignKeyConstraint(["rater_id"], ["raters.id"], name=op.f("fk_erasures_rater_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_erasures")),
    )
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER events_no_delete")
        op.execute(
            f"CREATE TRIGGER events_no_delete BEFORE DELETE ON events WHEN NOT {ERASED} "
            f"BEGIN SELECT RAISE(ABORT, '{ONLY_ADDED}'); END"
        )
        said = "BEGIN SELECT RAISE(ABORT, 'what was erased stays said'); END"
        op.execute(f"CREATE TRIGGER erasures_no_delete BEFORE DELETE ON erasures {said}")
        op.execute(f"CREATE TRIGGER erasures_no_update BEFORE UPDATE ON erasures WHEN NOT OLD.open {said}")
        op.execute(
            "CREATE TRIGGER erasures_no_replace BEFORE INSERT ON erasures WHEN EXISTS "
            f"(SELECT 1 FROM erasures WHERE id = NEW.id) {said}"
        )
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER events_no_delete ON events")
        op.execute(
            f"CREATE FUNCTION keep_events() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF {ERASED} THEN RETURN OLD; "
            f"END IF; RAISE EXCEPTION '{ONLY_ADDED}' USING ERRCODE = 'integrity_constraint_violation'; END $$"
        )
        op.execute(
            "CREATE TRIGGER events_no_delete BEFORE DELETE ON events FOR EACH ROW EXECUTE FUNCTION keep_events()"
        )
        said = "EXECUTE FUNCTION refuse('what was erased stays said')"
        op.execute(f"CREATE TRIGGER erasures_no_delete BEFORE DELETE ON erasures FOR EACH ROW {said}")
        op.execute(f"CREATE TRIGGER erasures_no_truncate BEFORE TRUNCATE ON erasures FOR EACH STATEMENT {said}")
        op.execute(
            f"CREATE TRIGGER erasures_no_update BEFORE UPDATE ON erasures FOR EACH ROW WHEN (NOT OLD.open) {said}"
        )


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP TRIGGER events_no_delete ON events")
        op.execute("DROP FUNCTION keep_events()")
        op.execute(
            "CREATE TRIGGER events_no_delete BEFORE DELETE ON events "
            f"FOR EACH ROW EXECUTE FUNCTION refuse('{ONLY_ADDED}')"
        )
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER events_no_delete")
        op.execute(
            f"CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, '{ONLY_ADDED}'); END"
        )
    for table in ("erasures", "releases", "exclusions", "study_courses"):
        op.drop_table(table)
    op.execute("UPDATE assignments SET place = 1000000 - place WHERE place < 0")  # behind the others
    op.drop_column("assignments", "released_at")
    op.drop_column("assignments", "slot")
    op.drop_column("participations", "pilot")
    op.drop_column("participations", "seen_at")
    op.add_column("participations", sa.Column("offered", sa.Integer(), server_default=sa.text("0"), nullable=False))
