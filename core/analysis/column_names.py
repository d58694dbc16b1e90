"""Names of columns. A column has, for each sample, a metric's score or one component of that score.

Every table, plot, slice, file and web address uses these names: "HICE-S" for the score, "HICE-S#precision" for a
component. The numeric components of a score can be columns, such as the score before smoothing ("raw"), precision and
recall.
"""

MARK = "#"  # separates a metric's name from the name of a part of its score


def part_name(metric: str, part: str) -> str:
    """Return the name of the column with one component of a score.

    metric: the name of the column with the metric's whole score, such as "HICE-S". part: the component, such as
    "precision". These two give "HICE-S#precision".
    """
    return f"{metric}{MARK}{part}"


def split(column: str) -> tuple[str, str]:
    """Split a column's name into the metric's column name and the component.

    The component is "" for the metric's own score.
    """
    metric, mark, part = column.rpartition(MARK)
    return (metric, part) if mark and metric and part else (column, "")
