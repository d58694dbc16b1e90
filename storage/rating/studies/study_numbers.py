"""Numbers of studies. No study gets the number of a deleted one, because open pages name studies by their numbers."""

from sqlalchemy import Connection, func, select

from storage.tables import ErasureRow, StudyRow


def next_study(connection: Connection) -> int:
    """Return the number of the next study, in a transaction that writes."""
    last = (connection.scalar(select(func.max(number))) or 0 for number in (StudyRow.id, ErasureRow.study))
    return max(last) + 1
