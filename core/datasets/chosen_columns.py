"""Apply the column names and scales that the caller chose (Layout) to JSON Lines, Parquet and Arrow files."""

from collections.abc import Iterator, Mapping

from core.datasets.base import Layout, Scale, Source
from core.datasets.rows import Row
from core.datasets.suggested_options import metric_of
from core.errors import BadRow, BadSetting
from core.types import one_line

SCORE = "score"  # a column with the scores of one metric; the caller names the metric
EXPLANATION = "explanation"  # a column that explains each value of the column "score"
UNIT: Scale = (0.0, 1.0)
WHOLE = "overall"  # name of an explanation that is not divided into aspects such as fluency
NOT_READ = " (not read)"  # added to a column's name if the caller names another column to be read instead


def renamed(layout: Layout, header: list[str]) -> list[str]:
    """Return a header in which chosen columns have Capscope's own names.

    layout: says which column the caller chose for each of Capscope's names.
    """
    ours = {column: name for name, column in layout.columns.items()}
    return [ours.get(name, f"{name}{NOT_READ}" if name in layout.columns else name) for name in header]


def laid_out(source: Source, rows: Iterator[Row | BadRow]) -> Iterator[Row | BadRow]:
    """Yield the rows with Capscope's own field names.

    Human judgements are rescaled to 0 to 1. A field "score" becomes an entry in the list "scores". Raises BadSetting if
    the caller names a metric but no row has a field "score".
    """
    has_scores = False
    for row in rows:
        has_scores = has_scores or isinstance(row, BadRow) or _field_of_score(source.layout) in row.values
        yield row if isinstance(row, BadRow) else _attempt(source, row)
    if source.metric is not None and not has_scores:
        raise BadSetting(f"No row has a field {SCORE!r}, so there are no scores of {source.metric}. Remove --metric.")


def _attempt(source: Source, row: Row) -> Row | BadRow:
    try:
        return _laid_out(source, row)
    except BadRow as bad:
        return bad


def _laid_out(source: Source, row: Row) -> Row:
    layout = source.layout
    if layout == Layout() and SCORE not in row.values:
        return row
    names = renamed(layout, list(row.values))
    values: dict[str, object] = dict(zip(names, row.values.values(), strict=True))
    rescaled = Row(row.file, row.number, values)
    own = {name: _own_value(row, name) for name in layout.keep if row.get(name) not in (None, "")}
    if own:
        given = values.get("own")
        values["own"] = {**(given if isinstance(given, dict) else {}), **own}
    more = [row.text(name) for name in layout.more_references if row.get(name) not in (None, "")]
    if isinstance(values.get("references"), str):
        values["references"] = [values["references"]] if layout.columns.get("references") else values["references"]
    if more:
        values["references"] = [*rescaled.texts("references"), *more]
    if layout.human_scale is not None and values.get("human") is not None:
        low, high = layout.human_scale
        values["human"] = (rescaled.number_in("human", low, high) - low) / (high - low)
    if values.get(SCORE) is not None:
        scores = values.get("scores") or []
        if not isinstance(scores, list):
            raise rescaled.bad("scores", "a list", scores)
        values["scores"] = [*scores, _score(source, rescaled)]
    values.pop(SCORE, None)
    values.pop(EXPLANATION, None)
    return rescaled


def _own_value(row: Row, name: str) -> str:
    value = row.get(name)
    if isinstance(value, str | int | float):
        return one_line(str(value))
    raise row.bad(name, "a text or a number, because this column is kept", value)


def _field_of_score(layout: Layout) -> str:
    return layout.columns.get(SCORE, SCORE)


def _score(source: Source, row: Row) -> Mapping[str, object]:
    low, high = source.layout.score_scale or UNIT
    value = row.number_in(SCORE, low, high)
    score: dict[str, object] = {
        "metric": source.metric or metric_of(source.layout),
        "value": value,
        "scale": [low, high],
    }
    explanation = row.get(EXPLANATION)
    if explanation:
        score["rationales"] = {WHOLE: explanation} if isinstance(explanation, str) else explanation
    return score
