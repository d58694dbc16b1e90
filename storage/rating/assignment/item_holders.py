"""Count each item's raters after many rows were copied.

Triggers count an item's raters again after each change of an assignment (storage.tables.ItemRow.takers). This count
takes longer than copying the assignment's row. So a bulk copy marks the items with UNCOUNTED, which triggers ignore. It
counts the raters at the end.
"""

from sqlalchemy import Connection, text

UNCOUNTED = -1  # value of `takers` until the running transaction, import or deletion has counted the item's raters
COUNT = """UPDATE items SET takers = CASE
  WHEN place >= 0 AND EXISTS (SELECT 1 FROM studies s WHERE s.id = items.study_id AND s.raters_per_item IS NOT NULL)
  THEN (SELECT count(*) FROM assignments a
    JOIN participations p ON p.study_id = a.study_id AND p.rater_id = a.rater_id
    LEFT JOIN exclusions e ON e.study_id = a.study_id AND e.rater_id = a.rater_id
    WHERE a.item_id = items.id AND a.released_at IS NULL AND e.at IS NULL AND NOT p.pilot)
  ELSE 0 END
WHERE takers = -1"""


def count_takers(connection: Connection) -> None:
    """Count the raters of all items marked UNCOUNTED."""
    connection.execute(text(COUNT))


def count_takers_of(connection: Connection, study: int, first: int, last: int) -> None:
    """Count the raters of a study's items marked UNCOUNTED.

    first, last: the numbers of the first and the last item to count.
    """
    which = {"study": study, "first": first, "last": last}
    connection.execute(text(f"{COUNT} AND study_id = :study AND id BETWEEN :first AND :last"), which)
