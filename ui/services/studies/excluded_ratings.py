"""Count what reports exclude, by rater and reason: ratings, and judgements of sentences."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from core.studies.results.evidence_export import EvidenceRecord
from core.studies.results.rating_columns import RatingColumns
from storage.study_types import Study
from ui.services.tables import Table, count, text
from ui.services.workplace import Workplace


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    """How many ratings and judgements of sentences by one rater are excluded."""

    rater: str
    why: str  # reasons for the exclusion; if several, each with its number of excluded answers: "gold: 9, practice: 3"
    ratings: int | None  # number of excluded ratings; None: the study's form asks for no ratings
    sentences: int | None = None  # number of excluded judgements of sentences; None: the study's form asks for none


def left_out_table(workplace: Workplace, study: Study, every: RatingColumns) -> Table[LeftOutRow]:
    """Return a study's excluded ratings, one row for each rater.

    The table is empty if no rating is excluded. every: all ratings of the study.
    """
    studies = workplace.repository.studies
    cases = Counter(zip(every.rater.tolist(), every.left_out.tolist(), strict=True))
    ratings = Counter({(every.raters[who], every.reasons[why]): number for (who, why), number in cases.items() if why})
    has_sentences = study.asks.evidence is not None
    sentences = _counted(studies.evidence(study.id)) if has_sentences else Counter()
    answers = ratings + sentences
    reasons: dict[str, list[str]] = {}
    for rater, why in sorted(answers):
        reasons.setdefault(rater, []).append(why)
    rows = [
        LeftOutRow(
            rater,
            _reasons_text({why: answers[rater, why] for why in whys}),
            ratings=sum(ratings[rater, why] for why in whys) if study.criteria else None,
            sentences=sum(sentences[rater, why] for why in whys) if has_sentences else None,
        )
        for rater, whys in reasons.items()
    ]
    return Table("Ratings that this report excludes", _COLUMNS, rows)


def _reasons_text(answers: Mapping[str, int]) -> str:
    """Return as text why answers were excluded.

    answers: number of excluded answers by reason.
    """
    named = {_NAMES.get(why, why): number for why, number in answers.items()}
    return next(iter(named)) if len(named) == 1 else ", ".join(f"{why}: {number}" for why, number in named.items())


def _counted(records: Iterable[EvidenceRecord]) -> Counter[tuple[str, str]]:
    """Count excluded judgements of sentences by rater and reason."""
    return Counter((record.rater, record.left_out) for record in records if record.left_out)


_NAMES = {"training": "practice"}  # maps the role of an item to the word for it in reports and in texts for raters
_COLUMNS = (
    text("rater", "rater"),
    text("why", "why"),
    count("ratings", "ratings", undefined=""),
    count("judged sentences", "sentences", undefined=""),
)
