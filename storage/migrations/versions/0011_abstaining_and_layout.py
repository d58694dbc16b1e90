"""Factuality can be abstained from where the picture is missing; a study may show all explanations in one layout.

The bounds of a criterion's points stand in its ratings, too, and refer to each other: both change before either is
compared.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

FACTUALITY = "criterion = 'factuality' AND highest = 4"


def upgrade() -> None:
    op.add_column("studies", sa.Column("uniform", sa.Boolean(), server_default=sa.false(), nullable=False))
    _bound(1, 0)


def downgrade() -> None:
    op.execute(sa.text(f"DELETE FROM ratings WHERE {FACTUALITY} AND point = 0"))
    _bound(0, 1)
    op.drop_column("studies", "uniform")


def _bound(old: int, new: int) -> None:
    later, again = _LATER[op.get_bind().dialect.name]
    for statement in later:
        op.execute(sa.text(statement))
    for table in ("study_criteria", "ratings"):
        op.execute(sa.text(f"UPDATE {table} SET lowest = {new} WHERE {FACTUALITY} AND lowest = {old}"))
    for statement in again:
        op.execute(sa.text(statement))


_BOUNDS = "ALTER TABLE ratings ALTER CONSTRAINT fk_ratings_study_id_criterion_lowest_highest"
# what has foreign keys compared later, and at once again
_LATER = {
    "sqlite": (["PRAGMA defer_foreign_keys = ON"], []),  # until the transaction ends
    "postgresql": (
        [f"{_BOUNDS} DEFERRABLE", "SET CONSTRAINTS ALL DEFERRED"],
        ["SET CONSTRAINTS ALL IMMEDIATE", f"{_BOUNDS} NOT DEFERRABLE"],
    ),
}
