"""Studies, raters, their assignments and ratings, and the log of what raters did, which can only grow."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "raters",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_raters")),
        sa.UniqueConstraint("code", name=op.f("uq_raters_code")),
    )
    op.create_table(
        "studies",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("form", sa.String(), nullable=False),
        sa.Column("veil", sa.Boolean(), nullable=False),
        sa.Column("raters_per_item", sa.Integer(), nullable=True),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("strata", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("form IN ('single', 'side_by_side')", name=op.f("ck_studies_form")),
        sa.CheckConstraint("raters_per_item > 0", name=op.f("ck_studies_raters_per_item")),
        sa.ForeignKeyConstraint(["dataset_id"], ["datasets.id"], name=op.f("fk_studies_dataset_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_studies")),
        sa.UniqueConstraint("name", name=op.f("uq_studies_name")),
    )
    op.create_table(
        "participations",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("offered", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["rater_id"], ["raters.id"], name=op.f("fk_participations_rater_id")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_participations_study_id")),
        sa.PrimaryKeyConstraint("study_id", "rater_id", name=op.f("pk_participations")),
        sa.UniqueConstraint("study_id", "number", name=op.f("uq_participations_study_id_number")),
    )
    op.create_table(
        "study_criteria",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("criterion", sa.String(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("lowest", sa.Integer(), nullable=False),
        sa.Column("highest", sa.Integer(), nullable=False),
        sa.CheckConstraint("lowest >= 0 AND lowest < highest", name=op.f("ck_study_criteria_points")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_study_criteria_study_id")),
        sa.PrimaryKeyConstraint("study_id", "criterion", name=op.f("pk_study_criteria")),
        sa.UniqueConstraint(
            "study_id",
            "criterion",
            "lowest",
            "highest",
            name=op.f("uq_study_criteria_study_id_criterion_lowest_highest"),
        ),
    )
    op.create_table(
        "items",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("stratum", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(["sample_id"], ["samples.id"], name=op.f("fk_items_sample_id")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_items_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_items")),
        sa.UniqueConstraint("study_id", "id", name=op.f("uq_items_study_id_id")),
        sa.UniqueConstraint("study_id", "place", name=op.f("uq_items_study_id_place")),
    )
    op.create_table(
        "assignments",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("panels", sa.JSON(), nullable=False),
        sa.Column("revealed_at", sa.DateTime(), nullable=True),
        sa.Column("finished_at", sa.DateTime(), nullable=True),
        sa.Column("note", sa.String(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id", "item_id"], ["items.study_id", "items.id"], name=op.f("fk_assignments_study_id_item_id")
        ),
        sa.ForeignKeyConstraint(
            ["study_id", "rater_id"],
            ["participations.study_id", "participations.rater_id"],
            name=op.f("fk_assignments_study_id_rater_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignments")),
        sa.UniqueConstraint("item_id", "rater_id", name=op.f("uq_assignments_item_id_rater_id")),
        sa.UniqueConstraint("study_id", "rater_id", "place", name=op.f("uq_assignments_study_id_rater_id_place")),
    )
    op.create_table(
        "item_scores",
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("score_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["items.id"], name=op.f("fk_item_scores_item_id")),
        sa.ForeignKeyConstraint(["score_id"], ["scores.id"], name=op.f("fk_item_scores_score_id")),
        sa.PrimaryKeyConstraint("item_id", "score_id", name=op.f("pk_item_scores")),
    )
    op.create_table(
        "events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("request_key", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("received_at", sa.DateTime(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
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
        sa.CheckConstraint("kind IN ('rating', 'reveal', 'note')", name=op.f("ck_events_kind")),
        sa.ForeignKeyConstraint(["assignment_id"], ["assignments.id"], name=op.f("fk_events_assignment_id")),
        sa.ForeignKeyConstraint(["rater_id"], ["raters.id"], name=op.f("fk_events_rater_id")),
        sa.ForeignKeyConstraint(["score_id"], ["scores.id"], name=op.f("fk_events_score_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_events")),
        sa.UniqueConstraint("rater_id", "request_key", name=op.f("uq_events_rater_id_request_key")),
    )
    op.create_index(op.f("ix_events_assignment_id"), "events", ["assignment_id"], unique=False)
    op.create_table(
        "ratings",
        sa.Column("item_id", sa.Integer(), nullable=False),
        sa.Column("score_id", sa.Integer(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=False),
        sa.Column("criterion", sa.String(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("lowest", sa.Integer(), nullable=False),
        sa.Column("highest", sa.Integer(), nullable=False),
        sa.Column("point", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.DateTime(), nullable=False),
        sa.Column("submitted_at", sa.DateTime(), nullable=False),
        sa.Column("duration_ms", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.CheckConstraint("typeof(point) = 'integer'", name=op.f("ck_ratings_whole")).ddl_if(dialect="sqlite"),
        sa.CheckConstraint("duration_ms >= 0", name=op.f("ck_ratings_duration")),
        sa.CheckConstraint("point BETWEEN lowest AND highest", name=op.f("ck_ratings_point")),
        sa.ForeignKeyConstraint(
            ["item_id", "rater_id"],
            ["assignments.item_id", "assignments.rater_id"],
            name=op.f("fk_ratings_item_id_rater_id"),
        ),
        sa.ForeignKeyConstraint(
            ["item_id", "score_id"],
            ["item_scores.item_id", "item_scores.score_id"],
            name=op.f("fk_ratings_item_id_score_id"),
        ),
        sa.ForeignKeyConstraint(
            ["study_id", "criterion", "lowest", "highest"],
            ["study_criteria.study_id", "study_criteria.criterion", "study_criteria.lowest", "study_criteria.highest"],
            name=op.f("fk_ratings_study_id_criterion_lowest_highest"),
        ),
        sa.ForeignKeyConstraint(
            ["study_id", "item_id"], ["items.study_id", "items.id"], name=op.f("fk_ratings_study_id_item_id")
        ),
        sa.PrimaryKeyConstraint("item_id", "score_id", "rater_id", "criterion", name=op.f("pk_ratings")),
    )
    op.create_index(op.f("ix_ratings_study_id"), "ratings", ["study_id"], unique=False)
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER events_no_{verb.lower()} BEFORE {verb} ON events "
                "BEGIN SELECT RAISE(ABORT, 'events can only be added'); END"
            )
        op.execute(  # REPLACE takes rows away without a DELETE
            "CREATE TRIGGER events_no_replace BEFORE INSERT ON events WHEN EXISTS (SELECT 1 FROM events "
            "WHERE id = NEW.id OR (rater_id = NEW.rater_id AND request_key = NEW.request_key)) "
            "BEGIN SELECT RAISE(ABORT, 'events can only be added'); END"
        )
    if op.get_bind().dialect.name == "postgresql":
        op.execute("CREATE TRIGGER items_count_on AFTER INSERT ON items FOR EACH STATEMENT EXECUTE FUNCTION count_on()")
        op.execute(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation'; END $$"
        )
        for verb, each in (("UPDATE", "ROW"), ("DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
            op.execute(
                f"CREATE TRIGGER events_no_{verb.lower()} BEFORE {verb} ON events "
                f"FOR EACH {each} EXECUTE FUNCTION refuse('events can only be added')"
            )


def downgrade() -> None:
    op.drop_table("ratings")
    op.drop_table("events")
    op.drop_table("item_scores")
    op.drop_table("assignments")
    op.drop_table("items")
    op.drop_table("study_criteria")
    op.drop_table("participations")
    op.drop_table("studies")
    op.drop_table("raters")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION refuse()")
