"""Names of columns. A column is a metric's own score of each sample, or one of the score's parts.

Every table, plot, slice, file and address uses these names: "HICE-S" for the score, "HICE-S#precision" for a part.
Parts are the numbers among a score's components, such as the score before smoothing ("raw"), precision and recall.
"""

MARK = "#"  # between a metric's name and a part's


def part_name(metric: str, part: str) -> str:
    """Return the name of a part's column. metric: the name of the metric's own column."""
    return f"{metric}{MARK}{part}"


def split(column: str) -> tuple[str, str]:
    """Return the name of a metric's own column, and the part: "" for the metric's own score."""
    metric, mark, part = column.rpartition(MARK)
    return (metric, part) if mark and metric and part else (column, "")
