"""Error codes, own codebooks and saved slices."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "codebooks",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("source", sa.String(), nullable=False),
        sa.Column("codes", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_codebooks")),
    )
    op.create_table(
        "codings",
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("codebook", sa.String(), nullable=False),
        sa.Column("coder", sa.String(), nullable=False),
        sa.Column("code", sa.String(), nullable=False),
        sa.Column("coded_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("length(coder) > 0 AND length(code) > 0", name=op.f("ck_codings_named")),
        sa.ForeignKeyConstraint(["sample_id"], ["samples.id"], name=op.f("fk_codings_sample_id")),
        sa.PrimaryKeyConstraint("sample_id", "metric", "codebook", "coder", name=op.f("pk_codings")),
    )
    op.create_table(
        "slices",
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("conditions", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["dataset_id"], ["datasets.id"], name=op.f("fk_slices_dataset_id")),
        sa.PrimaryKeyConstraint("dataset_id", "name", name=op.f("pk_slices")),
    )


def downgrade() -> None:
    op.drop_table("slices")
    op.drop_table("codings")
    op.drop_table("codebooks")
