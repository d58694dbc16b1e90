"""Store changed settings unless somebody else changed the same settings meanwhile.

Each study has a stamp. A dialog reads the stamp when it opens and sends it with the change. One UPDATE
statement compares the sent stamp with the stored stamp and stores a new one. Stamps are random because counters can
repeat: after a restore, an older database could reach the same count again.
"""

import secrets
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from core.errors import ChangedMeanwhile
from storage.tables import StudyRow

_STAMP_BYTES = 9
_IN_WORDS = {"this machine": "somebody at this machine", "command line": "somebody on the command line"}
_LAST = "somebody who has undone the change"  # used if a restored older database does not name the person


@dataclass(frozen=True, slots=True)
class Change:
    """Who changes settings, and the stamp that this person's dialog read when it opened.

    Stamp None: the stamps are not compared.
    """

    by: str  # name of the person who made the change, as in the audit log
    stamp: str | None = None


BY_COMMAND = Change("command line")


def set_stamp(connection: Connection, study: int, change: Change) -> None:
    """Give a study a new stamp.

    Raises ChangedMeanwhile if the stored stamp differs from the change's stamp.
    """
    read = () if change.stamp is None else (StudyRow.stamp == change.stamp,)
    new = {"stamp": secrets.token_urlsafe(_STAMP_BYTES), "changed_by": change.by}
    if not connection.execute(update(StudyRow).where(StudyRow.id == study, *read).values(new)).rowcount:
        by = connection.scalar(select(StudyRow.changed_by).where(StudyRow.id == study))
        raise ChangedMeanwhile(_LAST if by is None else _IN_WORDS.get(by, by))
