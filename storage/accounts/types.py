"""Define the results of operations on accounts, sessions, links and the audit log."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Role = Literal["viewer", "researcher", "admin"]
ROLES: tuple[Role, ...] = ("viewer", "researcher", "admin")  # each role includes the rights of the roles before it
LinkState = Literal["open", "used_up", "expired", "closed"]


@dataclass(frozen=True, slots=True)
class Account:
    """A person who may sign in."""

    id: int
    name: str  # account name in lower case
    role: Role
    has_password: bool
    disabled: bool
    created_at: datetime  # time in UTC, as all times here
    stamp: str  # version of the role and the status; a request that changes them must send this version


@dataclass(frozen=True, slots=True)
class StudyLink:
    """A link that leads raters into one study."""

    id: int
    study: int
    rater: str | None  # the rater to whom the link belongs; None: the rater enters a code
    uses_allowed: int | None  # maximum number of uses; None: any number
    used: int  # number of browsers that entered by the link
    made_at: datetime
    expires_at: datetime | None
    closed_at: datetime | None

    def state(self, now: datetime) -> LinkState:
        """Return whether new raters may enter through the link, or why not."""
        if self.closed_at is not None:
            return "closed"
        if self.expires_at is not None and self.expires_at <= now:
            return "expired"
        return "used_up" if self.uses_allowed is not None and self.used >= self.uses_allowed else "open"


@dataclass(frozen=True, slots=True)
class Session:
    """A browser that is signed in as an account holder or as a rater."""

    id: int
    account: str | None  # name of the account; None: a rater's session
    rater: str | None  # code of the rater; None: an account's session
    study: str | None  # the only study that the session can enter: the study of the rater's link
    browser: str
    made_at: datetime
    seen_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An entry of the audit log: who did what to which object, and when."""

    id: int
    at: datetime
    actor: str
    deed: str
    object: str
    address: str | None
