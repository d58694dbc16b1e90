"""Who may come in: accounts, study links, sessions; and the log of what was done, which can only grow."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("password", sa.String(), nullable=True),
        sa.Column("subject", sa.String(), nullable=True),
        sa.Column("disabled", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        sa.CheckConstraint("role IN ('viewer', 'researcher', 'admin')", name=op.f("ck_accounts_role")),
        sa.CheckConstraint("length(name) > 0", name=op.f("ck_accounts_named")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("name", name=op.f("uq_accounts_name")),
        sa.UniqueConstraint("subject", name=op.f("uq_accounts_subject")),
    )
    op.create_table(
        "password_links",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
        sa.Column("used_at", sa.DateTime(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_password_links_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_password_links")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_password_links_token_hash")),
    )
    op.create_table(
        "study_links",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("rater_id", sa.Integer(), nullable=True),
        sa.Column("uses_allowed", sa.Integer(), nullable=True),
        sa.Column("used", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=True),
        sa.Column("closed_at", sa.DateTime(), nullable=True),
        sa.CheckConstraint("uses_allowed > 0", name=op.f("ck_study_links_uses_allowed")),
        sa.CheckConstraint(
            "used >= 0 AND (uses_allowed IS NULL OR used <= uses_allowed)", name=op.f("ck_study_links_used")
        ),
        sa.ForeignKeyConstraint(["rater_id"], ["raters.id"], name=op.f("fk_study_links_rater_id")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_study_links_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study_links")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_study_links_token_hash")),
    )
    op.create_index(op.f("ix_study_links_study_id"), "study_links", ["study_id"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("rater_id", sa.Integer(), nullable=True),
        sa.Column("link_id", sa.Integer(), nullable=True),
        sa.Column("browser", sa.String(), nullable=False),
        sa.Column("made_at", sa.DateTime(), nullable=False),
        sa.Column("seen_at", sa.DateTime(), nullable=False),
        sa.Column("expires_at", sa.DateTime(), nullable=False),
        sa.Column("revoked_at", sa.DateTime(), nullable=True),
        sa.CheckConstraint("(account_id IS NULL) <> (rater_id IS NULL)", name=op.f("ck_sessions_one_person")),
        sa.CheckConstraint("link_id IS NULL OR rater_id IS NOT NULL", name=op.f("ck_sessions_link")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_sessions_account_id")),
        sa.ForeignKeyConstraint(["link_id"], ["study_links.id"], name=op.f("fk_sessions_link_id")),
        sa.ForeignKeyConstraint(["rater_id"], ["raters.id"], name=op.f("fk_sessions_rater_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_sessions_token_hash")),
    )
    for column in ("account_id", "rater_id", "link_id"):
        op.create_index(op.f(f"ix_sessions_{column}"), "sessions", [column], unique=False)
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("deed", sa.String(), nullable=False),
        sa.Column("object", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=True),
        sa.CheckConstraint("length(actor) > 0 AND length(deed) > 0", name=op.f("ck_audit_told")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER audit_no_{verb.lower()} BEFORE {verb} ON audit "
                "BEGIN SELECT RAISE(ABORT, 'the log can only be added to'); END"
            )
        op.execute(  # REPLACE takes rows away without a DELETE
            "CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit WHEN EXISTS "
            "(SELECT 1 FROM audit WHERE id = NEW.id) BEGIN SELECT RAISE(ABORT, 'the log can only be added to'); END"
        )
    if op.get_bind().dialect.name == "postgresql":
        for verb, each in (("UPDATE", "ROW"), ("DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
            op.execute(
                f"CREATE TRIGGER audit_no_{verb.lower()} BEFORE {verb} ON audit "
                f"FOR EACH {each} EXECUTE FUNCTION refuse('the log can only be added to')"
            )


def downgrade() -> None:
    for table in ("audit", "sessions", "study_links", "password_links", "accounts"):
        op.drop_table(table)
