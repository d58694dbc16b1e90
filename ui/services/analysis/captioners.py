"""Compare captioners in tables: mean scores, ranks, and agreement of rankings with people."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.analysis.captioners import MOST, Captioners
from core.analysis.score_table import Mask
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
from ui.services.tables import Table

if TYPE_CHECKING:
    from core.benchmarks.systems import Ranking


@dataclass(frozen=True, slots=True)
class CaptionerComparison:
    """The comparison of captioners on some samples."""

    captioners: Table[CaptionerRow]
    agreement: Table[RankAgreementRow]
    remarks: tuple[str, ...]


def compare_captioners(
    analyst: Analyst, dataset: str, metrics: Sequence[str], slice_name: str | None
) -> CaptionerComparison:
    """Return the comparison of a data set's captioners.

    Raises NotFound, and BadSetting for fewer than two or too many captioners.
    """
    from core.benchmarks.systems import rankings  # imported late, so that scipy is loaded only if needed

    table, chosen = analyst.table(dataset), analyst.chosen(dataset, slice_name)
    captioners = present(analyst.captioners(dataset), chosen)
    shown = [table.metric(metric) for metric in metrics]
    scores = {column.label: column.value for column in shown}
    columns = {PEOPLE: table.human, **scores}
    ranked = rankings(captioners.of, table.images, columns, len(captioners.names))
    ranked = {label: ranking for label, ranking in ranked.items() if len(ranking.known)}
    compared = [column.label for column in shown if not column.by_people]
    return CaptionerComparison(
        Table("Captioners by score", captioner_columns("captions", ranked), captioner_rows(captioners, ranked)),
        rank_agreement("Do metrics rank captioners as people do? Correlations × 100", ranked, compared),
        tuple(_remarks(ranked)),
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


def _remarks(found: Mapping[str, "Ranking"]) -> Iterator[str]:
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
