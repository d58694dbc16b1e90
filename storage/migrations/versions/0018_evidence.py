"""Explanations judged sentence by sentence: the sentences, what raters say of each, and of the whole.

What raters do stays one log: `events` takes two kinds more. SQLite cannot change a check, so that its table is made
anew there, with its rows, its index and its triggers.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

BEFORE, AFTER = "'rating', 'reveal', 'note'", "'rating', 'reveal', 'note', 'sentence', 'whole'"
VERDICTS, SEVERITIES = "'right', 'wrong', 'unclear', 'beside'", "'minor', 'major'"
KINDS = "'object', 'attribute', 'number', 'spatial_relation', 'text', 'named_entity'"
RATED = (["item_id", "score_id"], ["item_scores.item_id", "item_scores.score_id"])
GIVEN = (["item_id", "rater_id"], ["assignments.item_id", "assignments.rater_id"])


def upgrade() -> None:
    _kinds(AFTER)
    op.create_table(
        "item_sentences",
        *_integers("item_id", "score_id", "number"),
        sa.Column("aspect", sa.String(), nullable=False),
        *_integers("start", "end"),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("splitter", sa.String(), nullable=False),
        sa.CheckConstraint("number > 0", name=op.f("ck_item_sentences_number")),
        sa.CheckConstraint('start >= 0 AND start < "end"', name=op.f("ck_item_sentences_span")),
        sa.ForeignKeyConstraint(*RATED, name=op.f("fk_item_sentences_item_id_score_id")),
        sa.PrimaryKeyConstraint("item_id", "score_id", "number", name=op.f("pk_item_sentences")),
    )
    op.create_table(
        "sentence_judgements",
        *_integers("item_id", "score_id", "rater_id", "number", "study_id"),
        sa.Column("verdict", sa.String(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=True),
        sa.Column("end", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(), nullable=True),
        sa.Column("severity", sa.String(), nullable=True),
        sa.Column("place", sa.JSON(), nullable=True),
        sa.Column("hint_shown", sa.Boolean(), nullable=False),
        sa.Column("started_at", sa.DateTime(), nullable=False),
        sa.Column("submitted_at", sa.DateTime(), nullable=False),
        sa.Column("duration_ms", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.CheckConstraint(f"verdict IN ({VERDICTS})", name=op.f("ck_sentence_judgements_verdict")),
        sa.CheckConstraint(f"kind IN ({KINDS})", name=op.f("ck_sentence_judgements_kind")),
        sa.CheckConstraint(f"severity IN ({SEVERITIES})", name=op.f("ck_sentence_judgements_severity")),
        sa.CheckConstraint(
            "verdict = 'wrong' OR (kind IS NULL AND severity IS NULL AND start IS NULL)",
            name=op.f("ck_sentence_judgements_wrong"),
        ),
        sa.CheckConstraint(
            '(start IS NULL) = ("end" IS NULL) AND (start IS NULL OR (start >= 0 AND start < "end"))',
            name=op.f("ck_sentence_judgements_span"),
        ),
        sa.CheckConstraint("duration_ms >= 0", name=op.f("ck_sentence_judgements_duration")),
        sa.ForeignKeyConstraint(
            ["item_id", "score_id", "number"],
            ["item_sentences.item_id", "item_sentences.score_id", "item_sentences.number"],
            name=op.f("fk_sentence_judgements_item_id_score_id_number"),
        ),
        sa.ForeignKeyConstraint(*GIVEN, name=op.f("fk_sentence_judgements_item_id_rater_id")),
        sa.PrimaryKeyConstraint("item_id", "score_id", "rater_id", "number", name=op.f("pk_sentence_judgements")),
    )
    op.create_index(op.f("ix_sentence_judgements_study_id"), "sentence_judgements", ["study_id"])
    op.create_table(
        "explanation_remarks",
        *_integers("item_id", "score_id", "rater_id", "study_id"),
        sa.Column("overlooked", sa.JSON(), nullable=False),
        sa.Column("no_fault", sa.Boolean(), nullable=False),
        sa.Column("submitted_at", sa.DateTime(), nullable=False),
        sa.ForeignKeyConstraint(*RATED, name=op.f("fk_explanation_remarks_item_id_score_id")),
        sa.ForeignKeyConstraint(*GIVEN, name=op.f("fk_explanation_remarks_item_id_rater_id")),
        sa.PrimaryKeyConstraint("item_id", "score_id", "rater_id", name=op.f("pk_explanation_remarks")),
    )
    op.create_index(op.f("ix_explanation_remarks_study_id"), "explanation_remarks", ["study_id"])


def downgrade() -> None:
    for table in ("explanation_remarks", "sentence_judgements", "item_sentences"):
        op.drop_table(table)
    _kinds(BEFORE)


def _integers(*names: str) -> list[sa.Column[int]]:
    return [sa.Column(name, sa.Integer(), nullable=False) for name in names]


def _kinds(kinds: str) -> None:
    """Say which kinds of events there are; those of other kinds go."""
    check, name = f"kind IN ({kinds})", op.f("ck_events_kind")
    if op.get_bind().dialect.name != "sqlite":
        op.drop_constraint(name, "events", type_="check")
        op.execute("ALTER TABLE events DISABLE TRIGGER USER")  # events can only be added
        op.execute(sa.text(f"DELETE FROM events WHERE NOT ({check})"))
        op.execute("ALTER TABLE events ENABLE TRIGGER USER")
        op.create_check_constraint(name, "events", check)
        return
    triggers = sa.text("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'")
    made_again = op.get_bind().scalars(triggers).all()
    op.execute(sa.text(f"CREATE TABLE events_held AS SELECT * FROM events WHERE {check}"))
    op.drop_table("events")
    op.create_table(
        "events",
        *_integers("id"),
        sa.Column("request_key", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("received_at", sa.DateTime(), nullable=False),
        *_integers("rater_id"),
        sa.Column("assignment_id", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("score_id", sa.Integer(), nullable=True),
        sa.Column("criterion", sa.String(), nullable=True),
        sa.Column("old_point", sa.Integer(), nullable=True),
        sa.Column("new_point", sa.Integer(), nullable=True),
        sa.Column("text", sa.String(), nullable=True),
        sa.CheckConstraint(
            "(kind = 'rating') = (new_point IS NOT NULL) AND (kind = 'rating') = (criterion IS NOT NULL)",
            name=op.f("ck_events_rating"),
        ),
        sa.CheckConstraint(check, name=name),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name=op.f("fk_events_assignment_id")),
        sa.ForeignKeyConstraint(["rater_id"], ["raters.id"], name=op.f("fk_events_rater_id")),
        sa.ForeignKeyConstraint(["score_id"], ["scores.id"], name=op.f("fk_events_score_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("rater_id", "request_key", name=op.f("uq_events_rater_id_request_key")),
    )
    op.execute(sa.text("INSERT INTO events SELECT * FROM events_held"))
    op.drop_table("events_held")
    op.create_index(op.f("ix_events_assignment_id"), "events", ["assignment_id"], unique=False)
    for trigger in made_again:
        op.get_bind().exec_driver_sql(trigger)
