"""Store who wrote each caption: the captioner's name."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

INDEX = "ix_samples_dataset_id_system"
KNOWN = sa.text("system IS NOT NULL")
BOUNDS = "CONSTRAINT ck_samples_system CHECK (length(system) BETWEEN 1 AND 200)"


def upgrade() -> None:
    # alembic adds no constraints to existing tables of SQLite
    op.execute(f"ALTER TABLE samples ADD COLUMN system VARCHAR {BOUNDS}")
    op.create_index(INDEX, "samples", ["dataset_id", "system"], sqlite_where=KNOWN, postgresql_where=KNOWN)


def downgrade() -> None:
    op.drop_index(INDEX, "samples")
    op.drop_column("samples", "system")
