"""Tables of captioners: mean scores, and how well each ranking agrees with people's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.analysis.captioners import Captioners
from ui.services.analysis.correlation_rows import hundredfold
from ui.services.tables import Column, Table, count, number, text

if TYPE_CHECKING:
    from core.benchmarks.systems import RankAgreement, Ranking

PEOPLE = "people"
Numbers = dict[str, float | None]


@dataclass(frozen=True, slots=True)
class CaptionerRow:
    """A captioner's mean scores; key: the score. None: the captioner has no value for this score."""

    captioner: str
    captions: int
    means: Numbers
    lows: Numbers  # lower ends of 95 % intervals; bootstrap over images
    highs: Numbers
    ranks: dict[str, int | None]  # key: score; value: the captioner's rank, from 1 (best); None: no rank


@dataclass(frozen=True, slots=True)
class RankAgreementRow:
    """How well a metric's ranking of captioners agrees with people's, times 100. None: undefined; `note` says why."""

    label: str
    captioners: int
    images: int
    pearson: float | None
    pearson_low: float | None
    pearson_high: float | None
    spearman: float | None
    spearman_low: float | None
    spearman_high: float | None
    kendall: float | None
    kendall_low: float | None
    kendall_high: float | None
    note: str


def captioner_rows(captioners: Captioners, found: Mapping[str, "Ranking"]) -> list[CaptionerRow]:
    """Return a row for each captioner, sorted by the first score's ranking."""
    ranks = {label: ranking.ranks for label, ranking in found.items()}
    written = np.bincount(captioners.of[captioners.of >= 0], minlength=len(captioners.names))
    first = next(iter(ranks.values()), np.zeros(len(captioners.names)))
    rows = []
    for place in np.argsort(np.where(first > 0, first, np.inf), kind="stable").tolist():
        ends = {label: ranking.interval(place) for label, ranking in found.items()}
        rows.append(
            CaptionerRow(
                captioners.names[place],
                int(written[place]),
                {label: _number(ranking.means[place]) for label, ranking in found.items()},
                {label: None if one is None else one.low for label, one in ends.items()},
                {label: None if one is None else one.high for label, one in ends.items()},
                {label: int(of[place]) or None for label, of in ranks.items()},
            )
        )
    return rows


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def captioner_columns(counted: str, labels: Mapping[str, object], decimals: int = 3) -> tuple[Column, ...]:
    """Return the columns of captioner_rows.

    counted: heading of the column with the number of captions. labels: the scores' labels.
    """
    ranked = ("means", "lows", "highs", "ranks")
    return (
        text("captioner", "captioner"),
        count(counted, "captions"),
        *(Column(label, (*ranked, label), "ranked", decimals, "no score") for label in labels),
    )


def rank_agreement(title: str, found: Mapping[str, "Ranking"], compared: Sequence[str]) -> Table[RankAgreementRow]:
    """Return how well scores' rankings agree with people's ranking.

    The rankings are of captioners. The table is empty without human judgements.
    """
    from core.benchmarks.systems import agreement

    both = [label for label in compared if PEOPLE in found and label in found]
    return Table(title, _AGREEMENT, [_agreement_row(label, agreement(found[label], found[PEOPLE])) for label in both])


def _agreement_row(label: str, found: "RankAgreement") -> RankAgreementRow:
    r, rho, tau = (
        hundredfold(value, found.intervals.get(name))
        for name, value in (("pearson", found.pearson), ("spearman", found.spearman), ("kendall", found.kendall))
    )
    return RankAgreementRow(label, found.captioners, found.images, *r, *rho, *tau, found.note)


_AGREEMENT = (
    text("score", "label"),
    count("captioners", "captioners"),
    count("images", "images"),
    number("Pearson", "pearson", 2),
    Column("95 % interval of Pearson", ("pearson_low", "pearson_high"), "interval", 2, brief=False),
    number("Spearman", "spearman", 2),
    Column("95 % interval of Spearman", ("spearman_low", "spearman_high"), "interval", 2, brief=False),
    number("Kendall τ-b", "kendall", 2),
    Column("95 % interval of Kendall τ-b", ("kendall_low", "kendall_high"), "interval", 2),
    text("note", "note", brief=False),
)
