"""Store who may see, run or own a study. Everyone with an account may run the existing studies, as before."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "study_rights",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("may", sa.String(), nullable=False),
        sa.CheckConstraint("may IN ('see', 'run', 'own')", name=op.f("ck_study_rights_may")),
        sa.CheckConstraint("may <> 'own' OR account_id IS NOT NULL", name=op.f("ck_study_rights_owner")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_study_rights_study_id")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_study_rights_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study_rights")),
        sa.UniqueConstraint("study_id", "account_id", name=op.f("uq_study_rights_study_id_account_id")),
    )
    op.create_index("ix_study_rights_account_id", "study_rights", ["account_id"])
    everyone = sa.text("account_id IS NULL")
    op.create_index(
        "ix_study_rights_everyone",
        "study_rights",
        ["study_id"],
        unique=True,
        sqlite_where=everyone,
        postgresql_where=everyone,
    )
    op.execute("INSERT INTO study_rights (study_id, account_id, may) SELECT id, NULL, 'run' FROM studies ORDER BY id")


def downgrade() -> None:
    op.drop_table("study_rights")
