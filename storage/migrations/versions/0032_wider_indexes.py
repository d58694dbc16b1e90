"""Let indexes hold what sorts by error read, and find texts by their letters on PostgreSQL.

PostgreSQL knows letters by its extension pg_trgm. The owner of a database may add it where the server has it ("trusted"
since PostgreSQL 13). Without it a search reads every caption, as before.
"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0030"
branch_labels = None
depends_on = None

WIDER = {
    "scores": (["metric", "sample_id"], ["metric", "sample_id", "value", "scale_low", "scale_high"]),
    "samples": (["dataset_id", "id"], ["dataset_id", "id", "human"]),
}
LETTERS = {  # as docs/how-to/deploy.md says how to make them later
    "ix_samples_candidate_letters": ("samples", "candidate"),
    "ix_samples_key_letters": ("samples", "key"),
    "ix_images_name_letters": ("images", "name"),
}


def upgrade() -> None:
    for table, (old, new) in WIDER.items():
        op.create_index(f"ix_{table}_{'_'.join(new)}", table, new)
        op.drop_index(f"ix_{table}_{'_'.join(old)}", table)
    if op.get_bind().dialect.name == "postgresql" and _has_letters():
        for name, (table, column) in LETTERS.items():
            op.execute(f"CREATE INDEX {name} ON {table} USING gin (lower({column}) gin_trgm_ops)")


def _has_letters() -> bool:
    """Add the extension where this is allowed."""
    bind = op.get_bind()
    try:
        with bind.begin_nested():
            bind.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    except sa.exc.DBAPIError:
        return False
    return True


def downgrade() -> None:
    if op.get_bind().dialect.name == "postgresql":
        for name in LETTERS:
            op.execute(f"DROP INDEX IF EXISTS {name}")
    for table, (old, new) in WIDER.items():
        op.create_index(f"ix_{table}_{'_'.join(old)}", table, old)
        op.drop_index(f"ix_{table}_{'_'.join(new)}", table)
