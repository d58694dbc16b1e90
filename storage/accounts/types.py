"""What the verbs on accounts, sessions, links and the log return."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Role = Literal["viewer", "researcher", "admin"]
ROLES: tuple[Role, ...] = ("viewer", "researcher", "admin")  # each may do what those before it may
LinkState = Literal["open", "used_up", "expired", "closed"]


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who may sign in."""

    id: int
    name: str  # in small letters
    role: Role
    has_password: bool
    disabled: bool
    created_at: datetime  # UTC, as all times here


@dataclass(frozen=True, slots=True)
class StudyLink:
    """A link that leads raters into one study."""

    id: int
    study: int
    rater: str | None  # whose link it is; None: whoever comes gives a code
    uses_allowed: int | None  # None: any number
    used: int  # browsers that were let in by it
    made_at: datetime
    expires_at: datetime | None
    closed_at: datetime | None

    def state(self, now: datetime) -> LinkState:
        """Return whether somebody new may come in by it, or why not."""
        if self.closed_at is not None:
            return "closed"
        if self.expires_at is not None and self.expires_at <= now:
            return "expired"
        return "used_up" if self.uses_allowed is not None and self.used >= self.uses_allowed else "open"


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which somebody has said who they are."""

    id: int
    account: str | None  # name of the account; None: it is a rater's
    rater: str | None  # code of the rater; None: it is an account's
    study: str | None  # the only one that the rater came for
    browser: str
    made_at: datetime
    seen_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One thing that was done."""

    id: int
    at: datetime
    actor: str
    deed: str
    object: str
    address: str | None
