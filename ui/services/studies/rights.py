"""Look up studies with the rights of the account that makes the request."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from core.errors import NotAllowed, NotFound
from storage.accounts.study_rights import RIGHTS, Right
from storage.study_types import Study
from ui.services.workplace import Workplace


class _Numbered(Protocol):
    @property
    def id(self) -> int: ...


T = TypeVar("T", bound=_Numbered)


def visible(workplace: Workplace, studies: Sequence[T]) -> tuple[T, ...]:
    """Return the studies that the workplace's account may see, in the same order."""
    seen = workplace.repository.rights.of_account(workplace.account)
    return tuple(study for study in studies if study.id in seen)


def study_named(workplace: Workplace, name: str, right: Right = "see") -> Study:
    """Return a study by name if the account has the needed right.

    The account is `workplace.account`, which makes the request. Raises NotFound, whose message lists the visible names.
    Raises NotAllowed if the account may see the study but lacks the right.
    """
    seen = workplace.repository.rights.of_account(workplace.account)
    study = workplace.repository.studies.named(name, seen)
    if not includes(seen[study.id], right):
        raise NotAllowed(lacking(right))
    return study


def check_makes_studies(workplace: Workplace) -> None:
    """Raise NotAllowed if the workplace's account may not make studies."""
    if workplace.account is not None and workplace.account.role == "viewer":
        raise NotAllowed(
            f"The account {workplace.account.name} is a viewer. Only researchers and admins can create studies."
        )


def includes(held: Right, needed: Right) -> bool:
    """Return whether one right includes another right."""
    return RIGHTS.index(held) >= RIGHTS.index(needed)


def lacking(right: Right) -> str:
    """Return the message for users who lack the right for an action.

    These users may see the study. right: the right that the action needs.
    """
    return f"You may see this study, but you do not have the right to {right} it. Ask its owner or an admin."


def no_study(study_id: object) -> NotFound:
    """Return the error for a study that does not exist. Studies that the account may not see give the same error."""
    return NotFound(f"There is no study number {study_id}.")
