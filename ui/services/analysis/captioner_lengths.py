"""Mean scores of each captioner by caption length."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Floats
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.captioner_tables import PEOPLE
from ui.services.analysis.captioners import present
from ui.services.tables import Column, Table, count, text

FOOTNOTE = (
    "Each mean covers the captioner’s captions of this length that have a score; n is the number of these captions. "
    "Captioners may have described different images here."
)


@dataclass(frozen=True, slots=True)
class CaptionerLengthRow:
    """One captioner's captions in one length group: their number, and the means of their scores.

    Means of human judgements are in [0, 1].
    """

    captioner: str
    length: str  # category of caption lengths, such as "7–9 words"
    captions: int
    counts: dict[str, int]  # key: score; value: number of captions that have the score
    means: dict[str, float | None]  # key: score; value: mean on the score's own scale; None: no caption has the score


def captioner_lengths(
    analyst: Analyst, dataset: str, metrics: Sequence[str], slice_name: str | None
) -> Table[CaptionerLengthRow]:
    """Return a row for each captioner and length group that has captions.

    The groups are the same as in *By category* on Analyse. Raises NotFound. Raises BadSetting if captioners cannot be
    compared.
    """
    from core.benchmarks.categories import lengths  # imported late, so that scipy is loaded only if needed

    table = analyst.table(dataset)
    captioners = present(analyst.captioners(dataset), analyst.chosen(dataset, slice_name))
    scores = {PEOPLE: table.human, **{one.label: one.value for one in map(table.metric, metrics)}}
    known = {label: values for label, values in scores.items() if np.isfinite(values[captioners.of >= 0]).any()}
    groups = [*lengths(analyst.captions(dataset))]
    rows = []
    for name in captioners.names:
        written = captioners.by(name)
        for group in groups:
            chosen = group.mask & written
            if chosen.any():
                finite = {label: _finite(values[chosen]) for label, values in known.items()}
                counts = {label: len(values) for label, values in finite.items()}
                means = {label: float(values.mean()) if len(values) else None for label, values in finite.items()}
                rows.append(CaptionerLengthRow(name, group.name, int(chosen.sum()), counts, means))
    return Table("Captioners by caption length", _columns(known), rows, FOOTNOTE)


def _finite(values: Floats) -> Floats:
    return values[np.isfinite(values)]


def _columns(labels: Iterable[str]) -> tuple[Column, ...]:
    return (
        text("captioner", "captioner"),
        text("caption length", "length"),
        count("captions", "captions"),
        *(
            column
            for label in labels
            for column in (
                Column(label, ("means", label), "number", undefined="no score"),
                count(f"n, {label}", "counts", label),
            )
        ),
    )
