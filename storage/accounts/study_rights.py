"""Store which accounts may see, run or own a study.

A right that is stored without an account applies to everyone with an account. Admins own every study, and viewers may
only see studies.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, delete, func, insert, select

from core.errors import BadSetting, NotFound
from storage.accounts.accounts import folded
from storage.accounts.types import Account
from storage.engine.database import Database
from storage.rating.studies.deleting import SEEN
from storage.tables import AccountRow, StudyRightRow, StudyRow

Right = Literal["see", "run", "own"]
RIGHTS: tuple[Right, ...] = ("see", "run", "own")  # each right includes the rights before it
_ROWS = select(StudyRightRow.study_id, StudyRightRow.may)


def clean_right(text: str) -> Right:
    """Return a text as a right to studies. Raises BadSetting unless it is one of the rights."""
    for right in RIGHTS:
        if text == right:
            return right
    raise BadSetting(f"The right must be one of {', '.join(RIGHTS)}, found {text!r}.")


@dataclass(frozen=True, slots=True)
class Share:
    """A right of an account to a study."""

    account: str | None  # name of the account; None: everyone with an account
    right: Right


class StudyRights:
    """Operations on rights to studies."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of_account(self, account: Account | None) -> Mapping[int, Right]:
        """Return an account's rights to studies; key: study.

        account None: Capscope runs without accounts, so the result contains every study with the highest right.
        """
        if account is None or account.role == "admin":
            with self._database.read() as connection:
                return dict.fromkeys(connection.scalars(select(StudyRow.id).where(SEEN)), "own")
        theirs = (StudyRightRow.account_id == account.id) | StudyRightRow.account_id.is_(None)
        rights: dict[int, Right] = {}
        with self._database.read() as connection:
            for study, right in connection.execute(_ROWS.where(theirs)):
                rights[study] = max(rights.get(study, "see"), clean_right(right), key=RIGHTS.index)
        return dict.fromkeys(rights, "see") if account.role == "viewer" else rights

    def of(self, account: Account | None, study_id: int) -> Right | None:
        """Return an account's right to a study, or None.

        account None: Capscope runs without accounts, so the result is the highest right.
        """
        if account is None or account.role == "admin":
            return "own"
        theirs = (StudyRightRow.account_id == account.id) | StudyRightRow.account_id.is_(None)
        with self._database.read() as connection:
            rights = connection.scalars(select(StudyRightRow.may).where(StudyRightRow.study_id == study_id, theirs))
            right = max(map(clean_right, rights), key=RIGHTS.index, default=None)
        return "see" if right and account.role == "viewer" else right

    def of_everyone(self) -> Mapping[int, Right]:
        """Return the studies that everyone with an account may see or run."""
        with self._database.read() as connection:
            rows = connection.execute(_ROWS.where(StudyRightRow.account_id.is_(None)))
            return {study: clean_right(right) for study, right in rows}

    def shares(self, study_id: int) -> tuple[Share, ...]:
        """Return the rights to a study: everyone's first, then accounts' by name."""
        query = select(AccountRow.name, StudyRightRow.may).select_from(StudyRightRow)
        query = query.outerjoin(AccountRow, AccountRow.id == StudyRightRow.account_id)
        with self._database.read() as connection:
            rows = connection.execute(query.where(StudyRightRow.study_id == study_id)).all()
        return tuple(Share(name, clean_right(right)) for name, right in sorted(rows, key=lambda row: row[0] or ""))

    def share(self, study_id: int, name: str | None, right: Right | None) -> None:
        """Set an account's right to a study.

        name None: the right of everyone with an account is set. right None: the right is removed. Raises NotFound.
        Raises BadSetting if the account is closed. Also raises BadSetting if everyone would own the study, or nobody
        would own it.
        """
        if name is None and right == "own":
            raise BadSetting(
                "The owner of a study must be one account. “Everyone with an account” can only get the right to see "
                "or run a study."
            )
        with self._database.write() as connection:
            account = None if name is None else _account(connection, name, right)
            owners = (StudyRightRow.study_id == study_id, StudyRightRow.may == "own")
            before = connection.scalar(select(func.count()).where(*owners))
            connection.execute(delete(StudyRightRow).where(StudyRightRow.study_id == study_id, _of(account)))
            if right is not None:
                connection.execute(insert(StudyRightRow).values(study_id=study_id, account_id=account, may=right))
            if before and not connection.scalar(select(func.count()).where(*owners)):
                raise BadSetting(f"{name} is the only owner of this study. Make another account its owner first.")


def _of(account: int | None) -> Any:
    return StudyRightRow.account_id.is_(None) if account is None else StudyRightRow.account_id == account


def _account(connection: Connection, name: str, right: Right | None) -> int:
    row = connection.execute(
        select(AccountRow.id, AccountRow.disabled).where(AccountRow.name == folded(name.strip()))
    ).first()
    if row is None:
        raise NotFound(f"There is no account {name!r}.")
    if row.disabled and right is not None:
        raise BadSetting(f"The account {name} is closed.")
    return int(row.id)
