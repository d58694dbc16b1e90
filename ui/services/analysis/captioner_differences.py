"""Compare one chosen captioner with every other captioner, by each score.

A captioner may also be a group of people. For example, compare captions by people with captions by each model.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.errors import NotFound
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.captioner_tables import PEOPLE
from ui.services.analysis.captioners import present
from ui.services.tables import Column, Table, count, number, text


@dataclass(frozen=True, slots=True)
class CaptionerDifferenceRow:
    """The difference between two captioners' mean scores, on the score's scale. None: undefined; `note` says why."""

    label: str  # the score's label
    captioner: str
    other: str
    images: int
    difference: float | None
    low: float | None  # 95 % interval of the difference; bootstrap over images, the same draws for both captioners
    high: float | None
    p: float | None  # two-sided
    p_at_most: bool
    p_holm: float | None  # p after Holm's correction over all rows of the table
    note: str


def captioner_differences(
    analyst: Analyst, dataset: str, metrics: Sequence[str], slice_name: str | None, against: str
) -> Table[CaptionerDifferenceRow]:
    """Return how each captioner's mean scores differ from those of `against`.

    against: the name of the captioner with whom the others are compared, in upper or lower case. Raises NotFound.
    Raises BadSetting if captioners cannot be compared.
    """
    from core.benchmarks.system_differences import difference  # imported late, so that scipy is loaded only if needed
    from core.benchmarks.systems import rankings
    from core.statistics.significance import holm

    table = analyst.table(dataset)
    captioners = present(analyst.captioners(dataset), analyst.chosen(dataset, slice_name))
    names = captioners.names
    base = next((place for place, name in enumerate(names) if name.casefold() == against.strip().casefold()), None)
    if base is None:
        raise NotFound(f"There is no captioner {against!r} here. Captioners: {', '.join(names)}.")
    columns = {PEOPLE: table.human, **{one.label: one.value for one in map(table.metric, metrics)}}
    rows = []
    for label, ranking in rankings(captioners.of, table.images, columns, len(names)).items():
        for place in (place for place in range(len(names)) if place != base and len(ranking.known)):
            one = difference(ranking, place, base)
            low, high = (one.interval.low, one.interval.high) if one.interval else (None, None)
            told = one.value, low, high, one.p, one.p_at_most
            rows.append(CaptionerDifferenceRow(label, names[place], names[base], ranking.images, *told, None, one.note))
    adjusted = holm([row.p for row in rows])
    rows = [replace(row, p_holm=p) for row, p in zip(rows, adjusted, strict=True)]
    return Table(
        f"Differences to {names[base]}",
        _COLUMNS,
        rows,
        "Compared on the same images: each bootstrap resample uses the same images for both captioners.",
    )


_COLUMNS = (
    text("score", "label"),
    text("captioner", "captioner"),
    count("images", "images"),
    number("difference", "difference"),
    Column("95 % interval", ("low", "high"), "interval"),
    Column("p", ("p", "p_at_most"), "p"),
    Column("p, Holm", ("p_holm", "p_at_most"), "p"),
    text("note", "note", brief=False),
)
