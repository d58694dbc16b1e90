"""Define tables that state who last changed settings.

Each row also has a stamp, a text that changes with every change of these settings. A dialog reads the stamp when it
opens, and sends it together with the user's change. If the stored stamp is different by then, somebody else has changed
the settings in the meantime.
"""

from datetime import datetime

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from storage.tables.base import Table


class StudyChangeRow(Table):
    """Who last changed a study's state or design. A study that nobody has changed has no row."""

    __tablename__ = "study_changes"
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    stamp: Mapped[str]  # text that changes with each change of the settings
    changed_by: Mapped[str]  # name of the account; or "this machine" or "command line", as in the audit log
    changed_at: Mapped[datetime]


class AccountChangeRow(Table):
    """The last change of an account: a new role, or the closing of the account."""

    __tablename__ = "account_changes"
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    stamp: Mapped[str]
    changed_by: Mapped[str]
    changed_at: Mapped[datetime]
