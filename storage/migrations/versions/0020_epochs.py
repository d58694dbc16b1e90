"""The database's epoch: a word that changes whenever the database may have gone back to an earlier time."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "epochs",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.String(), nullable=False),
        sa.Column("began_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_epochs_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_epochs")),
    )


def downgrade() -> None:
    op.drop_table("epochs")
