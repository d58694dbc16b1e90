"""Count ratings and judged sentences that reports exclude, with rater and reason."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from core.studies.results.evidence_export import EvidenceRecord
from core.studies.results.rating_columns import RatingColumns
from storage.types import Study
from ui.services.tables import Table, count, text
from ui.services.workplace import Workplace


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    """Excluded ratings and judged sentences of one rater."""

    rater: str
    why: str
    ratings: int | None  # None: the study's form asks for no ratings
    sentences: int | None = None  # None: the study's form asks for no judgements of sentences


def left_out_table(workplace: Workplace, study: Study, every: RatingColumns) -> Table[LeftOutRow]:
    """Return a study's excluded ratings by rater. Empty if nothing is excluded. every: all ratings of the study."""
    studies = workplace.repository.studies
    cases = Counter(zip(every.rater.tolist(), every.left_out.tolist(), strict=True))
    ratings = {(every.raters[who], every.reasons[why]): number for (who, why), number in cases.items() if why}
    has_sentences = study.asks.evidence is not None
    sentences = _counted(studies.evidence(study.id)) if has_sentences else Counter()
    rows = [
        LeftOutRow(
            *one,
            ratings=ratings.get(one, 0) if study.criteria else None,
            sentences=sentences[one] if has_sentences else None,
        )
        for one in sorted({*ratings, *sentences})
    ]
    return Table("Ratings that this report excludes", _COLUMNS, rows)


def _counted(records: Iterable[EvidenceRecord]) -> Counter[tuple[str, str]]:
    """Count excluded judgements of sentences by rater and reason."""
    return Counter((record.rater, record.left_out) for record in records if record.left_out)


_COLUMNS = (
    text("rater", "rater"),
    text("why", "why"),
    count("ratings", "ratings", undefined=""),
    count("judged sentences", "sentences", undefined=""),
)
