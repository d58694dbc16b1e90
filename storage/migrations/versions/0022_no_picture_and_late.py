"""Add the answer "no picture" (-1), and mark answers given before the picture was shown or after the study had closed.

Until now 0 meant "no picture" where a form had no abstain option. Those answers become -1. The log of events keeps the
0 that was sent. Every question that needs the picture can now be answered with -1, in studies that exist, too.

The bounds of a criterion's points are repeated in ratings and adjudications, which refer to them.
"""

import tomllib
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

CHECK = "ck_study_criteria_points"
BEFORE, AFTER = "lowest >= 0 AND lowest < highest", "lowest >= -1 AND lowest < highest"
BOUNDED = ("study_criteria", "ratings", "adjudications")
ANSWERED = ("ratings", "adjudications")


def upgrade() -> None:
    for table in ("ratings", "sentence_judgements"):
        op.add_column(table, sa.Column("picture_shown", sa.Boolean(), nullable=True))
        op.add_column(table, sa.Column("late", sa.Boolean(), server_default=sa.false(), nullable=False))
    _later()
    _check(AFTER)
    for study, criterion in _judged_with_picture():
        of = {"study": study, "criterion": criterion["key"]}
        _bound(of, -1)
        if "abstain" not in criterion:
            _answer(of, 0, -1)
    _now()


def downgrade() -> None:
    _later()
    for study, criterion in _judged_with_picture():
        of = {"study": study, "criterion": criterion["key"]}
        has_nought = "abstain" in criterion or "no_picture" in criterion
        if has_nought:
            _answer(of, -1, 0)
        else:
            for table in ANSWERED:
                op.get_bind().execute(sa.text(f"DELETE FROM {table} WHERE {_OF} AND point = -1"), of)
        _bound(of, 0 if has_nought else 1)
    _now()
    _check(BEFORE)
    for table in ("ratings", "sentence_judgements"):
        op.drop_column(table, "late")
        op.drop_column(table, "picture_shown")


_OF = "study_id = :study AND criterion = :criterion"
# studies from before forms were stored have EXPERT's
_EXPERT: tuple[dict[str, Any], ...] = (
    {"key": "factuality", "no_picture": {}},
    {"key": "informativeness", "abstain": {}},
)


def _judged_with_picture() -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each study's criteria that are judged with the picture, as their form's file has them."""
    rows = op.get_bind().execute(
        sa.text("SELECT id, text FROM studies LEFT JOIN study_forms ON study_forms.study_id = studies.id")
    )
    for study, text in rows.all():
        criteria = _EXPERT if text is None else tomllib.loads(text).get("criteria", ())
        yield from ((study, one) for one in criteria if not one.get("without_image"))


def _bound(of: dict[str, Any], lowest: int) -> None:
    for table in BOUNDED:
        op.get_bind().execute(sa.text(f"UPDATE {table} SET lowest = :lowest WHERE {_OF}"), {**of, "lowest": lowest})


def _answer(of: dict[str, Any], old: int, new: int) -> None:
    for table in ANSWERED:
        values = {**of, "old": old, "new": new}
        op.get_bind().execute(sa.text(f"UPDATE {table} SET point = :new WHERE {_OF} AND point = :old"), values)


def _check(bounds: str) -> None:
    """Change which bounds a criterion may have. SQLite makes the table anew: it cannot change a check."""
    if op.get_bind().dialect.name != "sqlite":
        op.drop_constraint(op.f(CHECK), "study_criteria", type_="check")
        op.create_check_constraint(op.f(CHECK), "study_criteria", bounds)
        return
    op.execute("CREATE TABLE study_criteria_held AS SELECT * FROM study_criteria")
    op.drop_table("study_criteria")
    op.create_table(
        "study_criteria",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("criterion", sa.String(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("place", "lowest", "highest")),
        sa.CheckConstraint(bounds, name=op.f(CHECK)),
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
    op.execute("INSERT INTO study_criteria SELECT study_id, criterion, place, lowest, highest FROM study_criteria_held")
    op.drop_table("study_criteria_held")


_BOUNDS = [f"{table} ALTER CONSTRAINT fk_{table}_study_id_criterion_lowest_highest" for table in ANSWERED]


def _later() -> None:
    """Let foreign keys be compared at the end."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("PRAGMA defer_foreign_keys = ON")  # until the transaction ends
        return
    for bounds in _BOUNDS:
        op.execute(f"ALTER TABLE {bounds} DEFERRABLE")
    op.execute("SET CONSTRAINTS ALL DEFERRED")


def _now() -> None:
    """Let foreign keys be compared with each statement again."""
    if op.get_bind().dialect.name != "sqlite":
        op.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for bounds in _BOUNDS:
            op.execute(f"ALTER TABLE {bounds} NOT DEFERRABLE")
