"""Studies hold the form that their raters fill in; captions can be rated without a score.

What is rated on an item was always a score. Of a caption alone the number is minus its sample's id, so that ratings and
assignments keep their columns; the table behind them is made anew, since SQLite cannot take a constraint away.
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

OLD, HELD = "item_scores", "item_scores_held"
REFERRING = ("ratings", "adjudications")
COLUMNS = ("item_id", "score_id", "place")


def upgrade() -> None:
    op.create_table(
        "study_forms",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.CheckConstraint("version > 0", name=op.f("ck_study_forms_version")),
        sa.CheckConstraint("length(sha256) = 64", name=op.f("ck_study_forms_sha256")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_study_forms_study_id")),
        sa.PrimaryKeyConstraint("study_id", name=op.f("pk_study_forms")),
    )
    _made_anew(
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("caption", sa.Integer(), nullable=True),
        sa.CheckConstraint("score_id = coalesce(score, -caption)", name=op.f("ck_item_scores_rated")),
        sa.CheckConstraint("(score IS NULL) <> (caption IS NULL)", name=op.f("ck_item_scores_one")),
        sa.ForeignKeyConstraint(["caption"], ["samples.id"], name=op.f("fk_item_scores_caption")),
        sa.ForeignKeyConstraint(["score"], ["scores.id"], name=op.f("fk_item_scores_score")),
        filled="score_id, NULL",
    )


def downgrade() -> None:
    for table in (*REFERRING, "item_scores"):
        op.execute(sa.text(f"DELETE FROM {table} WHERE score_id < 0"))
    _made_anew(sa.ForeignKeyConstraint(["score_id"], ["scores.id"], name=op.f("fk_item_scores_score_id")))
    op.drop_table("study_forms")


def _made_anew(*parts: sa.schema.SchemaItem, filled: str = "") -> None:
    """Make item_scores anew, with its rows; what refers to them is looked at when the transaction ends."""
    sqlite = op.get_bind().dialect.name == "sqlite"
    if sqlite:
        op.execute(sa.text("PRAGMA defer_foreign_keys = ON"))
    else:
        for table in REFERRING:
            op.drop_constraint(op.f(f"fk_{table}_item_id_score_id"), table)
    op.execute(sa.text(f"CREATE TABLE {HELD} AS SELECT {', '.join(COLUMNS)} FROM {OLD}"))
    op.drop_table(OLD)
    op.create_table(
        OLD,
        *(sa.Column(name, sa.Integer(), nullable=False) for name in COLUMNS),
        sa.ForeignKeyConstraint(["item_id"], ["items.id"], name=op.f("fk_item_scores_item_id")),
        sa.PrimaryKeyConstraint("item_id", "score_id", name=op.f("pk_item_scores")),
        *parts,
    )
    values = ", ".join(filter(None, (*COLUMNS, filled)))
    op.execute(sa.text(f"INSERT INTO {OLD} SELECT {values} FROM {HELD}"))
    op.drop_table(HELD)
    if not sqlite:
        refers, to = ["item_id", "score_id"], ["item_id", "score_id"]
        for table in REFERRING:
            op.create_foreign_key(op.f(f"fk_{table}_item_id_score_id"), table, OLD, refers, to)
