"""Find by index which rows refer to a score or a sample.

Databases look for such rows before they delete a score or a sample. Without an index they read all events for each
score.
"""

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

REFERENCES = (("events", "score_id"), ("item_scores", "score"), ("item_scores", "caption"), ("items", "sample_id"))


def upgrade() -> None:
    for table, column in REFERENCES:
        op.create_index(f"ix_{table}_{column}", table, [column])


def downgrade() -> None:
    for table, column in REFERENCES:
        op.drop_index(f"ix_{table}_{column}", table)
