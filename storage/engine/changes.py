"""Store changed settings unless somebody else changed the same settings meanwhile.

Each study, and each account, has a stamp. A dialog reads the stamp when it opens and sends it
with the change. One UPDATE statement compares the sent stamp with the stored stamp and stores a new one. Stamps are
random because counters can repeat: after a restore, an older database could reach the same count again.
"""

import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select, update

from core.errors import ChangedMeanwhile
from storage.engine.database import utc_now
from storage.engine.sql import upsert
from storage.tables import AccountChangeRow, StudyChangeRow

NEVER = "never"  # stamp (mark of the last change) of settings that nobody has changed
_STAMP_BYTES = 9
_IN_WORDS = {"this machine": "somebody at this machine", "command line": "somebody on the command line"}
_LAST = "somebody who has undone the change"  # used if a restored older database lacks the row that names the person


@dataclass(frozen=True, slots=True)
class Change:
    """Who changes settings, and the stamp that this person's dialog read when it opened.

    Stamp None: the stamps are not compared.
    """

    by: str  # name of the person who made the change, as in the audit log
    stamp: str | None = None


BY_COMMAND = Change("command line")


def set_study_stamp(connection: Connection, study: int, change: Change) -> str:
    """Set a new stamp for a study. Return the stamp.

    Raises ChangedMeanwhile if the stored stamp differs from the change's stamp.
    """
    return _set_stamp(connection, StudyChangeRow, {"study_id": study}, change)


def set_account_stamp(connection: Connection, account: int, change: Change) -> str:
    """Give an account a new stamp, and return the stamp.

    Raises ChangedMeanwhile if the stored stamp differs from the change's stamp.
    """
    return _set_stamp(connection, AccountChangeRow, {"account_id": account}, change)


def account_stamps(connection: Connection) -> dict[int, str]:
    """Return the stamps of accounts that were changed; key: account."""
    rows = connection.execute(select(AccountChangeRow.account_id, AccountChangeRow.stamp))
    return {row.account_id: row.stamp for row in rows}


def _set_stamp(connection: Connection, table: Any, key: dict[str, Any], change: Change) -> str:
    stamp = secrets.token_urlsafe(_STAMP_BYTES)
    new = {"stamp": stamp, "changed_by": change.by, "changed_at": utc_now()}
    statement = upsert(connection, table).values(key | new)
    if change.stamp == NEVER:
        statement = statement.on_conflict_do_nothing(index_elements=list(key))
    elif change.stamp is None:
        statement = statement.on_conflict_do_update(index_elements=list(key), set_=new)
    else:
        statement = _updating(table, key, change.stamp).values(new)
    if connection.scalar(statement.returning(table.stamp)) is None:
        by = connection.scalar(select(table.changed_by).where(*_of(table, key)))
        raise ChangedMeanwhile(_LAST if by is None else _IN_WORDS.get(by, by))
    return stamp


def _updating(table: Any, key: dict[str, Any], stamp: str) -> Any:
    return update(table).where(*_of(table, key), table.stamp == stamp)


def _of(table: Any, key: dict[str, Any]) -> list[Any]:
    return [getattr(table, name) == value for name, value in key.items()]
