"""Where two scores differ: which of them is nearer to human judgement, and the samples with the largest difference."""

from dataclasses import replace
from typing import Any

import numpy as np

from core.analysis.column_names import part_name
from core.analysis.score_table import Mask, ScoreTable, falling
from core.analysis.slice_conditions import TOLERANCE, Parting, Range
from core.arrays import Floats
from core.statistics.disagreements import right_together
from core.statistics.influence import clustered_mean_interval
from core.types import RAW, Parted
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.errors import SCALES
from ui.services.analysis.section import Asked, Control, Facts, Found, Section, menu
from ui.services.tables import Column, Table, interval100, number, table_of

PAGE = 12  # few, because each row has a picture
BY: dict[Parted, str] = {
    "scores": "difference of the scores",
    "ranks": "difference of their ranks",
    "first right": "only the first score is right",
    "second right": "only the second score is right",
}


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return the comparison of two scores. Raises NotFound, BadSetting."""
    table = analyst.table(asked.dataset)
    names = table.with_raw([name for name in asked.metrics or table.compared if not table.metric(name).by_people])
    labels = [(name, table.metric(name).label) for name in names]
    first = asked.option("first", labels)
    others = [one for one in labels if one[0] != first]
    second = asked.option("second", [*_preferred(first, others)])
    by, scale = asked.option("by", [*BY.items()]), asked.option("errors", SCALES)
    tolerance = asked.number("tolerance", TOLERANCE)
    chosen = Parting(first, second, by, errors=scale, tolerance=tolerance)  # type: ignore[arg-type]
    listed, total = _list(analyst, asked, chosen, table)
    controls = [
        menu(asked, "first", "First", labels),
        Control("second", "Second", second, others),
        menu(asked, "by", "List by", [*BY.items()]),
        menu(asked, "errors", "Errors", SCALES),
        Control("tolerance", "Right: |error| below", f"{tolerance:g}"),
    ]
    parting = {"first": first, "second": second, "by": by, "errors": scale, "tolerance": tolerance}
    tables = [one for one in (nearer(analyst, asked, chosen), listed) if one.rows]
    notes = [] if total else ["No sample has both scores and such a difference."]
    return Found(tables, notes=notes, controls=controls, total=total, size=PAGE, extra={"parting": parting})


def _preferred(first: str, others: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Put the raw score of the first metric behind other metrics."""
    raw = part_name(first, RAW)
    return sorted(others, key=lambda one: one[0] == raw)


def _list(analyst: Analyst, asked: Asked, chosen: Parting, table: ScoreTable) -> tuple[Table[Any], int]:
    gaps = analyst.gaps(asked.dataset, replace(chosen, gap=Range()))
    order = falling(np.where(gaps > 0, gaps, np.nan), analyst.chosen(asked.dataset, asked.slice))
    places = order[(asked.page - 1) * PAGE : asked.page * PAGE].tolist()
    one, other = table.metric(chosen.first), table.metric(chosen.second)
    errors = [analyst.errors(asked.dataset, name, chosen.errors) for name in (chosen.first, chosen.second)]
    pictures = analyst.pictures(table.ids[places].tolist())
    rows = [
        {
            "id": int(table.ids[i]),
            "image": pictures.get(int(table.ids[i])),
            "caption": str(table.captions[i]),
            "human": known(table.human[i]),
            "first": float(one.unit[i]),
            "second": float(other.unit[i]),
            "first_error": known(errors[0][i]),
            "second_error": known(errors[1][i]),
            "gap": float(gaps[i]),
        }
        for i in places
    ]
    columns = (
        Column("picture", ("image",), "picture"),
        Column("caption", ("caption",), "sample"),
        number("human", "human", undefined=""),
        number(one.label, "first"),
        number(other.label, "second"),
        number(f"error of {one.label}", "first_error", undefined=""),
        number(f"error of {other.label}", "second_error", undefined=""),
        number("difference", "gap"),
    )
    return Table(f"Samples by {BY[chosen.by]}, rescaled to 0–1", columns, rows), len(order)


def nearer(analyst: Analyst, asked: Asked, chosen: Parting) -> Table[Any]:
    """Return how close each of two scores is to human judgement, over samples with both scores and a judgement."""
    table, within = analyst.table(asked.dataset), analyst.chosen(asked.dataset, asked.slice)
    pair = (chosen.first, chosen.second)
    errors = [_within(analyst.errors(asked.dataset, one, chosen.errors), within) for one in pair]
    there = np.isfinite(errors[0]) & np.isfinite(errors[1])
    title = (
        f"Which score is closer to human judgement? Errors {dict(SCALES)[chosen.errors]}; a score is right if its "
        f"error is below {chosen.tolerance:g}"
    )
    if not there.any():
        return Table(title, (), [])
    first, second = (np.abs(error[there]) for error in errors)
    found, image = right_together(errors[0], errors[1], table.images, chosen.tolerance), table.images[there]
    labels = [table.metric(one).label for one in pair]
    each = (
        (labels[0], found.both + found.first, found.share_first, found.first, first),
        (labels[1], found.both + found.second, found.share_second, found.second, second),
        (" − ".join(labels), found.first - found.second, found.difference, None, first - second),
    )
    rows = [
        {
            "score": label,
            "captions": found.n,
            "right, %": 100 * right / found.n,
            "95 % interval of right": interval100(share),
            "only this score is right": alone,
            "mean |error|": float(error.mean()),
            "95 % interval of mean |error|": clustered_mean_interval(error, image),
        }
        for label, right, share, alone, error in each
    ]
    places = {"right, %": 1, "95 % interval of right": 1}
    return table_of(title, rows, decimals=places, missing={"only this score is right": ""})


def _within(values: Floats, within: Mask | None) -> Floats:
    return values if within is None else np.where(within, values, np.nan)


def known(value: float) -> float | None:
    """Return a number, or None instead of NaN."""
    return float(value) if np.isfinite(value) else None


def needs(facts: Facts) -> str:
    """Return what the section lacks."""
    return "" if facts.metrics > 1 else "scores of a second metric"


SECTION = Section("pair", "Where two scores differ", made, needs)
