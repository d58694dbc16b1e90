"""Compare captioners in tables: mean scores, ranks, agreement with people, stability of rankings, and battles.

A battle is people's choice between the captions of two captioners.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.analysis.captioners import MOST, Captioners
from core.analysis.score_table import Mask
from core.arrays import Floats
from core.errors import BadSetting
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.captioner_tables import (
    PEOPLE,
    CaptionerRow,
    RankAgreementRow,
    captioner_columns,
    captioner_rows,
    rank_agreement,
)
from ui.services.analysis.correlation_rows import hundredfold
from ui.services.analysis.metric_agreement import AgreementDesk
from ui.services.tables import INTERVAL, Column, Table, count, number, text

if TYPE_CHECKING:
    from core.benchmarks.systems import Ranking, Stability

POINTS = 50  # number of points of a stability curve


@dataclass(frozen=True, slots=True)
class StabilityRow:
    """How stable a ranking of captioners is."""

    label: str
    images: int
    half: float  # probability that a random half of the images ranks the captioners as all images do, [0, 1]
    needed: int | None  # number of new images needed for the same ranking with 95 % probability; None: a tie


@dataclass(frozen=True, slots=True)
class StabilityCurve:
    """The probability in percent that new images give the same ranking of captioners, for several numbers of images."""

    label: str
    images: list[int]
    chances: list[float]


@dataclass(frozen=True, slots=True)
class LevelRow:
    """How often a metric prefers the caption that people prefer, in percent."""

    label: str
    level: str
    n: int
    accuracy: float | None
    ci_low: float | None
    ci_high: float | None


@dataclass(frozen=True, slots=True)
class CaptionerComparison:
    """The comparison of captioners on some samples.

    Tables about battles (people's choices between two captions) are empty without compared pairs.
    """

    captioners: Table[CaptionerRow]
    agreement: Table[RankAgreementRow]
    stability: Table[StabilityRow]
    curves: list[StabilityCurve]
    battles: Table[CaptionerRow]
    battle_agreement: Table[RankAgreementRow]
    levels: Table[LevelRow]
    remarks: tuple[str, ...]


def compare_captioners(
    analyst: Analyst, desk: AgreementDesk, dataset: str, metrics: Sequence[str], slice_name: str | None
) -> CaptionerComparison:
    """Return the comparison of a data set's captioners.

    Raises NotFound, and BadSetting for fewer than two or too many captioners.
    """
    from core.benchmarks.systems import rankings, stability  # imported late, so that scipy is loaded only if needed

    table, chosen = analyst.table(dataset), analyst.chosen(dataset, slice_name)
    captioners = present(analyst.captioners(dataset), chosen)
    shown = [table.metric(metric) for metric in metrics]
    scores = {column.label: column.value for column in shown}
    columns = {PEOPLE: table.human, **scores}
    ranked = rankings(captioners.of, table.images, columns, len(captioners.names))
    ranked = {label: ranking for label, ranking in ranked.items() if len(ranking.known)}
    compared = [column.label for column in shown if not column.by_people]
    stable = {label: one for label, ranking in ranked.items() if (one := stability(ranking)) is not None}
    battles = _battles(desk, dataset, captioners, {label: scores[label] for label in compared})
    return CaptionerComparison(
        Table("Captioners by score", captioner_columns("captions", ranked), captioner_rows(captioners, ranked)),
        rank_agreement("Do metrics rank captioners as people do? Correlations × 100", ranked, compared),
        Table("How stable each ranking is", _STABILITY, [_stability(*one) for one in stable.items()]),
        _curves(stable),
        *battles,
        tuple(_remarks(ranked, battles[0])),
    )


def present(captioners: Captioners, chosen: Mask | None) -> Captioners:
    """Return the captioners of the chosen samples only, numbered anew.

    The numbers are positions in the list of these captioners' names. Raises BadSetting if the captioners cannot be
    compared.
    """
    of = captioners.of if chosen is None else np.where(chosen, captioners.of, -1)
    known = np.unique(of[of >= 0])
    names = tuple(captioners.names[place] for place in known.tolist())
    if not names:
        raise BadSetting(
            "No caption here has a captioner. Import the data again and name the captioner by a field or an option."
        )
    if len(names) == 1:
        raise BadSetting(f"All captions with a captioner are by {names[0]}. A comparison needs two captioners.")
    if len(names) > MOST:
        raise BadSetting(f"There are {len(names):,} captioners here, but at most {MOST} can be compared.")
    return Captioners(names, np.where(of >= 0, np.searchsorted(known, of), -1))


def _stability(label: str, found: "Stability") -> StabilityRow:
    return StabilityRow(label, found.images, found.half, found.images_for())


def _curves(stable: Mapping[str, "Stability"]) -> list[StabilityCurve]:
    """Return each ranking's stability for the same numbers of images.

    The curves end where all rankings are stable, or at about 20 times the data set's number of images.
    """
    if not stable:
        return []
    most = max(min(20 * one.images, one.images_for() or one.images) for one in stable.values())
    end = max(1.2 * most, *(one.images for one in stable.values()))
    sizes = np.unique(np.geomspace(5, max(6, end), POINTS).astype(int)).tolist()
    return [StabilityCurve(label, sizes, [100 * one.chance(size) for size in sizes]) for label, one in stable.items()]


def _battles(
    desk: AgreementDesk, dataset: str, captioners: Captioners, scores: Mapping[str, Floats]
) -> tuple[Table[CaptionerRow], Table[RankAgreementRow], Table[LevelRow]]:
    from core.benchmarks.arena import HUMAN, battles_of, elo, level_agreement
    from core.benchmarks.systems import Ranking

    column, names = desk.part(dataset, None), captioners.names
    battles = battles_of(column, captioners.of) if column.has_pairs else None
    ratings, levels = {}, []
    if battles is not None and np.isfinite(battles.outcome).any():
        by_people = [place for place, name in enumerate(names) if name.casefold() == HUMAN]
        of_models = ~(np.isin(battles.first, by_people) | np.isin(battles.second, by_people))
        outcomes = {PEOPLE: battles.outcome}
        for label, values in scores.items():
            outcome = np.where(of_models, battles.by_score(values), np.nan)
            if np.isfinite(outcome).any():
                outcomes[label] = outcome
                levels += [
                    LevelRow(label, one.level, one.n, *hundredfold(one.accuracy, one.interval))
                    for one in level_agreement(battles, outcome)
                ]
        images = len(np.unique(battles.image))
        ratings = {
            label: Ranking(one.ratings, one.drawn, one.battles, images, False)
            for label, one in elo(battles, outcomes, len(names)).items()
        }
    return (
        Table(
            "Elo ratings from battles",
            captioner_columns("captions", ratings, 0),
            captioner_rows(captioners, ratings) if ratings else [],
        ),
        rank_agreement("Do metrics rate captioners as people do? Correlations × 100", ratings, list(scores)),
        Table("How often metrics prefer the caption that people prefer", _LEVELS, levels),
    )


def _remarks(found: Mapping[str, "Ranking"], battles: Table[CaptionerRow]) -> Iterator[str]:
    shared = {label: ranking.images for label, ranking in found.items() if ranking.is_shared}
    own = [label for label, ranking in found.items() if not ranking.is_shared]
    if shared:
        counted = ", ".join(f"{label}: {images:,}" for label, images in shared.items())
        one_number = len({*shared.values()}) == 1 and not own
        images = f"{next(iter(shared.values())):,} images" if one_number else f"images ({counted})"
        yield (
            f"Means are over the {images} that all captioners captioned. Each bootstrap resample uses the same "
            "images for all captioners."
        )
    if own:
        yield (
            f"Too few images have captions by all captioners ({', '.join(own)}). So each captioner’s mean is over its "
            "own images, so differences may come from the images instead of the captioners."
        )
    if battles.rows:
        yield (
            "Elo ratings follow CapArena: K = 4, start 1000, median over resampled battles; a tie is half a win. "
            "Metrics cannot judge battles against the captioner “human”, because its captions are the references of "
            "CapArena."
        )


_STABILITY = (
    text("ranking by", "label"),
    count("images", "images"),
    Column("probability of the same ranking with half of the images", ("half",), "share"),
    count("new images for a probability of 95 %", "needed", undefined="two captioners have the same value"),
)
_LEVELS = (
    text("metric", "label"),
    text("level", "level"),
    count("n", "n"),
    number("accuracy, %", "accuracy", 2),
    Column("95 % interval", INTERVAL, "interval", 2),
)
