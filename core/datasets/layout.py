"""Apply what a caller says of columns and scales (Layout) to the rows of JSON Lines, Parquet and Arrow files."""

from collections.abc import Iterator, Mapping

from core.datasets.base import Layout, Scale, Source
from core.datasets.rows import Row
from core.errors import BadRow, BadSetting

SCORE = "score"  # a column with the scores of one metric, which the caller names
UNIT: Scale = (0.0, 1.0)
NOT_READ = " (not read)"  # behind the name of a column in whose place the caller names another one


def renamed(layout: Layout, header: list[str]) -> list[str]:
    """Return a header with the names of our own form for the columns that the layout names."""
    ours = {column: name for name, column in layout.columns.items()}
    return [ours.get(name, f"{name}{NOT_READ}" if name in layout.columns else name) for name in header]


def laid_out(source: Source, rows: Iterator[Row | BadRow]) -> Iterator[Row | BadRow]:
    """Yield the rows with our own form's names, human judgements within 0 to 1, and "score" among the scores.

    The field "score" is read where the layout or the caller's metric says so; otherwise it is left alone, as every
    field of another name. Raises BadSetting for a metric's name without scores that it could belong to.
    """
    layout = source.layout
    if layout == Layout() and source.metric is None:
        yield from rows
        return
    has_scores = False
    for row in rows:
        made = row if isinstance(row, BadRow) else _attempt(source, row)
        has_scores = has_scores or isinstance(made, BadRow) or bool(made.get("scores"))
        yield made
    if source.metric is not None and not has_scores:
        raise BadSetting(f"No row has a field {SCORE!r} to be called {source.metric}; leave --metric out.")


def _attempt(source: Source, row: Row) -> Row | BadRow:
    try:
        return _laid_out(source, row)
    except BadRow as bad:
        return bad


def _laid_out(source: Source, row: Row) -> Row:
    layout = source.layout
    names = renamed(layout, list(row.values))
    values: dict[str, object] = dict(zip(names, row.values.values(), strict=True))
    told = Row(row.file, row.number, values)
    if layout.human_scale is not None and values.get("human") is not None:
        low, high = layout.human_scale
        values["human"] = (told.number_in("human", low, high) - low) / (high - low)
    is_meant = SCORE in layout.columns or layout.score_scale is not None or source.metric is not None
    if is_meant and values.get(SCORE) is not None:
        scores = values.get("scores") or []
        if not isinstance(scores, list):
            raise told.bad("scores", "a list", scores)
        values["scores"] = [*scores, _score(source, told)]
    return told


def _score(source: Source, row: Row) -> Mapping[str, object]:
    low, high = source.layout.score_scale or UNIT
    value = row.number_in(SCORE, low, high)
    return {"metric": source.metric or SCORE, "value": value, "scale": [low, high]}
