"""Annotated regions of pictures, and studies that show regions to raters."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_images_id_height_width"), "images", ["id", "height", "width"], unique=True)
    op.create_index(op.f("ix_images_sha256"), "images", ["sha256"])
    op.create_table(
        "annotations",
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("rle", sa.String(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(), nullable=True),
        sa.Column("is_crowd", sa.Boolean(), nullable=False),
        sa.CheckConstraint("place >= 0", name=op.f("ck_annotations_place")),
        sa.CheckConstraint("length(rle) > 0", name=op.f("ck_annotations_mask")),
        sa.CheckConstraint("length(label) > 0", name=op.f("ck_annotations_label")),
        sa.CheckConstraint("is_crowd IN (0, 1)", name=op.f("ck_annotations_crowd")).ddl_if(dialect="sqlite"),
        sa.ForeignKeyConstraint(
            ["image_id", "height", "width"],
            ["images.id", "images.height", "images.width"],
            name=op.f("fk_annotations_image_id_height_width"),
        ),
        sa.PrimaryKeyConstraint("image_id", "place", name=op.f("pk_annotations")),
    )
    op.add_column("studies", sa.Column("overlay", sa.Boolean(), server_default=sa.false(), nullable=False))


def downgrade() -> None:
    op.drop_column("studies", "overlay")
    op.drop_table("annotations")
    op.drop_index(op.f("ix_images_sha256"), "images")
    op.drop_index(op.f("ix_images_id_height_width"), "images")
