"""Store who changed settings last, and decisions about sentences on which raters differ."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "study_changes",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        *_change(),
        sa.CheckConstraint("part IN ('course', 'entry', 'watch')", name=op.f("ck_study_changes_part")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_study_changes_study_id")),
        sa.PrimaryKeyConstraint("study_id", "part", name=op.f("pk_study_changes")),
    )
    op.create_table(
        "account_changes",
        sa.Column("account_id", sa.Integer(), nullable=False),
        *_change(),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_account_changes_account_id")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_account_changes")),
    )
    op.create_table(
        "sentence_adjudications",
        sa.Column("id", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("study_id", "item_id", "score_id", "number")),
        sa.Column("verdict", sa.String(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=True) for name in ("kind", "severity")),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("reason", "words", "adjudicator")),
        sa.Column("at", sa.DateTime(), nullable=False),
        *(sa.CheckConstraint(rule, name=op.f(f"ck_sentence_adjudications_{name}")) for name, rule in _RULES.items()),
        sa.ForeignKeyConstraint(
            ["item_id", "score_id", "number"],
            ["item_sentences.item_id", "item_sentences.score_id", "item_sentences.number"],
            name=op.f("fk_sentence_adjudications_item_id_score_id_number"),
        ),
        sa.ForeignKeyConstraint(
            ["study_id", "item_id"],
            ["items.study_id", "items.id"],
            name=op.f("fk_sentence_adjudications_study_id_item_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sentence_adjudications")),
    )
    op.create_index(
        op.f("ix_sentence_adjudications_study_id_item_id"), "sentence_adjudications", ["study_id", "item_id"]
    )


def downgrade() -> None:
    for table in ("sentence_adjudications", "account_changes", "study_changes"):
        op.drop_table(table)


def _change() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("stamp", sa.String(), nullable=False),
        sa.Column("changed_by", sa.String(), nullable=False),
        sa.Column("changed_at", sa.DateTime(), nullable=False),
    )


_RULES = {
    "verdict": "verdict IN ('right', 'wrong', 'unclear', 'beside')",
    "kind": "kind IN ('object', 'attribute', 'number', 'spatial_relation', 'text', 'named_entity')",
    "severity": "severity IN ('minor', 'major')",
    "wrong": "(verdict = 'wrong') = (kind IS NOT NULL) AND (verdict = 'wrong') = (severity IS NOT NULL)",
    "reason": "reason IN ('ambiguous', 'guideline', 'careless', 'subjective')",
    "adjudicator": "length(adjudicator) > 0",
}
