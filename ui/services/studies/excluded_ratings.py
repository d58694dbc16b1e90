"""Count what reports exclude, by rater and reason."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.services.tables import Table, count, text

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    """How many ratings by one rater are excluded."""

    rater: str
    why: str  # reasons for the exclusion; if several, each with its number of excluded answers: "gold: 9, practice: 3"
    ratings: int


def left_out_table(every: "pd.DataFrame") -> Table[LeftOutRow]:
    """Return a study's excluded ratings, one row for each rater.

    The table is empty if no rating is excluded. every: all ratings of the study.
    """
    cases = Counter(zip(every["rater"], every["left_out"], strict=True))
    ratings = {(rater, why): number for (rater, why), number in cases.items() if why}
    reasons: dict[str, list[str]] = {}
    for rater, why in sorted(ratings):
        reasons.setdefault(rater, []).append(why)
    rows = [
        LeftOutRow(
            rater,
            _reasons_text({why: ratings[rater, why] for why in whys}),
            ratings=sum(ratings[rater, why] for why in whys),
        )
        for rater, whys in reasons.items()
    ]
    return Table("Ratings that this report excludes", _COLUMNS, rows)


def _reasons_text(answers: Mapping[str, int]) -> str:
    """Return as text why answers were excluded.

    answers: number of excluded answers by reason.
    """
    return next(iter(answers)) if len(answers) == 1 else ", ".join(f"{why}: {n}" for why, n in answers.items())


_COLUMNS = (
    text("rater", "rater"),
    text("why", "why"),
    count("ratings", "ratings"),
)
