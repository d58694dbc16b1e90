"""Define the results of operations on accounts, links and the audit log."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from core.studies.planning.platforms import Platform

Role = Literal["viewer", "researcher", "admin"]
ROLES: tuple[Role, ...] = ("viewer", "researcher", "admin")  # each role includes the rights of the roles before it
LinkState = Literal["open", "used_up", "closed"]


@dataclass(frozen=True, slots=True)
class Account:
    """A person who may sign in."""

    id: int
    name: str  # account name in lower case
    role: Role
    has_password: bool
    disabled: bool
    created_at: datetime  # time in UTC, as all times here


@dataclass(frozen=True, slots=True)
class StudyLink:
    """A link that leads raters into one study."""

    id: int
    study: int
    rater: str | None  # the rater to whom the link belongs; None: the rater enters a code
    uses_allowed: int | None  # maximum number of uses; None: any number
    used: int  # number of browsers that entered by the link
    made_at: datetime
    closed_at: datetime | None
    panel: Platform | None = None  # the recruitment platform that sends its participants to the link

    @property
    def state(self) -> LinkState:
        """Whether new raters may enter through the link, or why not."""
        if self.closed_at is not None:
            return "closed"
        return "used_up" if self.uses_allowed is not None and self.used >= self.uses_allowed else "open"


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An entry of the audit log: who did what to which object, and when."""

    id: int
    at: datetime
    actor: str
    deed: str
    object: str
    address: str | None
