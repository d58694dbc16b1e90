"""Cut and encoder of a score with regions as columns, read once out of its signature; one name for each kind of error.

Every score with regions that an earlier version stored was made by HICE-S, whose signature names both. One that names
none keeps NULL: its phrases then count as not judged.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

RENAMED = {"references_required": "missing_references", "no_text": "missing_text", "no_regions": "missing_regions"}
KINDS = {
    *("missing_image", "bad_image", "missing_references", "missing_text", "missing_regions", "bad_regions"),
    *("control_text", "no_score", "out_of_range", "merged_digits", "other"),
}
SCORES = sa.table(
    "scores",
    *(sa.column(name, sa.String) for name in ("signature", "regions", "encoder", "error_kind", "error_message")),
    sa.column("cut", sa.Double),
)


def upgrade() -> None:
    op.add_column("scores", sa.Column("cut", sa.Double(), nullable=True))
    op.add_column("scores", sa.Column("encoder", sa.String(), nullable=True))
    connection, of = op.get_bind(), SCORES.c
    shown = sa.cast(of.regions, sa.String) != "[]"
    for signature in connection.scalars(sa.select(of.signature).where(shown).distinct()).all():
        settings = dict(part.split(":", 1) for part in signature.split("|") if ":" in part)
        cut = float(settings["cut"]) if "cut" in settings else None
        found = SCORES.update().where(of.signature == signature, shown)
        connection.execute(found.values(cut=cut, encoder=settings.get("encoder")))
    for old, new in RENAMED.items():
        connection.execute(SCORES.update().where(of.error_kind == old).values(error_kind=new))
    told = of.error_kind + ": " + of.error_message  # a word of an imported file's own is kept before its message
    others = SCORES.update().where(of.error_kind.not_in(sorted(KINDS)))
    connection.execute(others.values(error_message=told, error_kind="other"))


def downgrade() -> None:
    for old, new in RENAMED.items():
        op.get_bind().execute(SCORES.update().where(SCORES.c.error_kind == new).values(error_kind=old))
    op.drop_column("scores", "encoder")
    op.drop_column("scores", "cut")
