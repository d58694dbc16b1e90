"""Give numbers to studies. Numbers are never used twice, because open pages identify studies by number."""

from sqlalchemy import Connection, func, select

from storage.tables import ErasureRow, StudyRow


def next_study(connection: Connection) -> int:
    """Return the number of the next new study.

    The connection must be in a writing transaction.
    """
    last = (connection.scalar(select(func.max(number))) or 0 for number in (StudyRow.id, ErasureRow.study))
    return max(last) + 1
