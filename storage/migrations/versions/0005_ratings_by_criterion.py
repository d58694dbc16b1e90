"""An index that holds everything a mean rating needs."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

OLD, NEW = "ix_ratings_study_id", "ix_ratings_study_id_criterion_item_id_point"


def upgrade() -> None:
    op.create_index(NEW, "ratings", ["study_id", "criterion", "item_id", "point"])
    op.drop_index(OLD, "ratings")


def downgrade() -> None:
    op.create_index(OLD, "ratings", ["study_id"])
    op.drop_index(NEW, "ratings")
