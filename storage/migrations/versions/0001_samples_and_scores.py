"""Data sets, pictures, samples and the scores that metrics gave them."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "datasets",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("notice", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_datasets")),
        sa.UniqueConstraint("name", name=op.f("uq_datasets_name")),
    )
    op.create_table(
        "images",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=True),
        sa.Column("sha256", sa.String(), nullable=True),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.CheckConstraint("(path IS NULL) = (sha256 IS NULL)", name=op.f("ck_images_found_or_missing")),
        sa.CheckConstraint(
            "(path IS NULL) = (width IS NULL) AND (width IS NULL) = (height IS NULL)", name=op.f("ck_images_known_size")
        ),
        sa.CheckConstraint("width > 0 AND height > 0", name=op.f("ck_images_size")),
        sa.ForeignKeyConstraint(["dataset_id"], ["datasets.id"], name=op.f("fk_images_dataset_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_images")),
        sa.UniqueConstraint("dataset_id", "name", name=op.f("uq_images_dataset_id_name")),
    )
    op.create_table(
        "samples",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("image_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("candidate", sa.String(), nullable=False),
        sa.Column("references", sa.JSON(), nullable=False),
        sa.Column("human", sa.Double(), nullable=True),
        sa.Column("judgements", sa.JSON(), nullable=False),
        sa.Column("pair", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint("human BETWEEN 0 AND 1", name=op.f("ck_samples_human")),
        sa.ForeignKeyConstraint(["dataset_id"], ["datasets.id"], name=op.f("fk_samples_dataset_id")),
        sa.ForeignKeyConstraint(["image_id"], ["images.id"], name=op.f("fk_samples_image_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_samples")),
        sa.UniqueConstraint("dataset_id", "key", name=op.f("uq_samples_dataset_id_key")),
    )
    op.create_index(op.f("ix_samples_image_id"), "samples", ["image_id"], unique=False)
    op.create_table(
        "scores",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sample_id", sa.Integer(), nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("signature", sa.String(), nullable=False),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("scale_low", sa.Double(), nullable=False),
        sa.Column("scale_high", sa.Double(), nullable=False),
        sa.Column("components", sa.JSON(), nullable=False),
        sa.Column("rationales", sa.JSON(), nullable=False),
        sa.Column("phrases", sa.JSON(), nullable=False),
        sa.Column("regions", sa.JSON(), nullable=False),
        sa.Column("explained", sa.Boolean(), nullable=False),
        sa.Column("error_kind", sa.String(), nullable=True),
        sa.Column("error_message", sa.String(), nullable=True),
        sa.CheckConstraint("(error_kind IS NULL) = (error_message IS NULL)", name=op.f("ck_scores_error")),
        sa.CheckConstraint("(value IS NULL) = (error_kind IS NOT NULL)", name=op.f("ck_scores_value_or_error")),
        sa.CheckConstraint("scale_low < scale_high", name=op.f("ck_scores_scale")),
        sa.CheckConstraint("value BETWEEN scale_low AND scale_high", name=op.f("ck_scores_within_scale")),
        sa.ForeignKeyConstraint(["sample_id"], ["samples.id"], name=op.f("fk_scores_sample_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scores")),
        sa.UniqueConstraint("sample_id", "signature", name=op.f("uq_scores_sample_id_signature")),
    )
    op.create_index(op.f("ix_scores_metric_sample_id"), "scores", ["metric", "sample_id"], unique=False)
    if op.get_bind().dialect.name == "postgresql":
        op.execute(  # it counts apart from the rows, of which imports number their own; SQLite goes on after the last
            "CREATE FUNCTION count_on() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "EXECUTE format('SELECT setval(%L, max(id)) FROM %I', TG_TABLE_NAME || '_id_seq', TG_TABLE_NAME); "
            "RETURN NULL; END $$"
        )
        for table in ("images", "samples", "scores"):
            op.execute(
                f"CREATE TRIGGER {table}_count_on AFTER INSERT ON {table} "
                "FOR EACH STATEMENT EXECUTE FUNCTION count_on()"
            )


def downgrade() -> None:
    op.drop_table("scores")
    op.drop_table("samples")
    op.drop_table("images")
    op.drop_table("datasets")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION count_on()")
