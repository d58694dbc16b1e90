"""Define tables for accounts, sessions, links, visits from recruitment platforms, and the audit log."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    UniqueConstraint,
    false,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.base import Table


class AccountRow(Table):
    """A person who may sign in."""

    __tablename__ = "accounts"
    __table_args__ = (
        CheckConstraint("role IN ('viewer', 'researcher', 'admin')", name="role"),
        CheckConstraint("length(name) > 0", name="named"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)  # name in lower case
    role: Mapped[str]
    password: Mapped[str | None]  # Argon2 hash with its parameters; NULL: no password yet
    disabled: Mapped[bool] = mapped_column(server_default=false())
    created_at: Mapped[datetime]


class PasswordLinkRow(Table):
    """A one-time link with which account holders set their password."""

    __tablename__ = "password_links"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    token_hash: Mapped[str] = mapped_column(unique=True)
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]  # time of use, or time at which a newer link replaced this one


class StudyLinkRow(Table):
    """A link that leads raters into one study."""

    __tablename__ = "study_links"
    __table_args__ = (
        CheckConstraint("uses_allowed > 0", name="uses_allowed"),
        CheckConstraint("used >= 0 AND (uses_allowed IS NULL OR used <= uses_allowed)", name="used"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), index=True)
    token_hash: Mapped[str] = mapped_column(unique=True)
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("raters.id"))  # NULL: an open link; raters enter a code
    uses_allowed: Mapped[int | None]  # maximum number of uses; NULL: any number
    used: Mapped[int] = mapped_column(server_default=text("0"))  # number of browsers that entered by the link
    made_at: Mapped[datetime]
    closed_at: Mapped[datetime | None]
    # core.studies.planning.platforms.Platform that sends its participants to the link and says who they are
    panel: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class VisitRow(Table):
    """A rater's progress through a study's consent text, and through its questions before and after the items."""

    __tablename__ = "visits"
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    rater_id: Mapped[int] = mapped_column(ForeignKey("raters.id"), primary_key=True)
    came_at: Mapped[datetime]
    consented_at: Mapped[datetime | None]
    answered_at: Mapped[datetime | None]  # when the rater answered the questions before the items
    screened_out_at: Mapped[datetime | None]
    returned_at: Mapped[datetime | None]
    answered_after_at: Mapped[datetime | None]


class EntryAnswerRow(Table):
    """A rater's answer to a question that is asked before the first item or after the last item."""

    __tablename__ = "entry_answers"
    __table_args__ = (
        ForeignKeyConstraint(["study_id", "rater_id"], ["visits.study_id", "visits.rater_id"]),
        CheckConstraint("phase IN ('before', 'after')", name="phase"),
    )
    study_id: Mapped[int] = mapped_column(primary_key=True)
    rater_id: Mapped[int] = mapped_column(primary_key=True)
    phase: Mapped[str] = mapped_column(primary_key=True)
    question: Mapped[str] = mapped_column(primary_key=True)  # text of the question as raters saw it
    place: Mapped[int]
    answer: Mapped[str]


class PlatformPersonRow(Table):
    """A recruitment platform's id of a rater. It is stored apart from the ratings and never exported."""

    __tablename__ = "platform_people"
    __table_args__ = (
        UniqueConstraint("study_id", "person"),
        CheckConstraint("length(person) > 0", name="person"),
    )
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    rater_id: Mapped[int] = mapped_column(ForeignKey("raters.id"), primary_key=True)
    link_id: Mapped[int] = mapped_column(ForeignKey("study_links.id"))
    person: Mapped[str]


class SessionRow(Table):
    """A browser that is signed in as an account holder or as a rater."""

    __tablename__ = "sessions"
    __table_args__ = (
        CheckConstraint("(account_id IS NULL) <> (rater_id IS NULL)", name="one_person"),
        CheckConstraint("link_id IS NULL OR rater_id IS NOT NULL", name="link"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(unique=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("raters.id"), index=True)
    # The link by which the rater came; NULL: no link.
    link_id: Mapped[int | None] = mapped_column(ForeignKey("study_links.id"), index=True)
    made_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class AuditRow(Table):
    """A logged action on stored data. Rating is not logged here. Rows are only added."""

    __tablename__ = "audit"
    __table_args__ = (CheckConstraint("length(actor) > 0 AND length(deed) > 0", name="told"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    actor: Mapped[str]  # name of the account; "command line" for a command; "this machine" if nobody signs in
    deed: Mapped[str]  # fixed text that names the action, such as "study made"
    object: Mapped[str]  # the changed object, such as "study 3"; empty if `deed` says enough
    address: Mapped[str | None]  # address of the client; only for attempts to sign in
