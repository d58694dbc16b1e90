"""Ratings that a study's report leaves out: whose, why, and how many."""

from collections import Counter
from dataclasses import dataclass

from storage.types import Study
from ui.services.tables import Table, count, text
from ui.services.workplace import Workplace


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    """Ratings of one rater that count for nothing."""

    rater: str
    why: str
    ratings: int


def left_out_table(workplace: Workplace, study: Study) -> Table[LeftOutRow]:
    """Return what a study's report leaves out, by rater; no row where it counts everything."""
    records = workplace.repository.studies.records(study.id)
    found = Counter((record.rater, record.left_out) for record in records if record.left_out)
    rows = [LeftOutRow(rater, why, ratings) for (rater, why), ratings in sorted(found.items())]
    return Table(
        "Left out of this report", (text("rater", "rater"), text("why", "why"), count("ratings", "ratings")), rows
    )
