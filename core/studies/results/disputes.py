"""Questions on which raters lie apart, and what somebody decided about them. Ratings themselves never change."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal, get_args

from core.studies.results.evidence_export import EvidenceRecord
from core.studies.results.export import RatingRecord

FEWEST_POINTS_APART = 2  # between the lowest and the highest point, abstentions left out
LONGEST_WORDS = 2_000  # of a decision
ADJUDICATED = "adjudicated"  # stands as the rater where a decision takes the place of ratings

# Why raters were apart, as the adjudicator sees it.
Reason = Literal[
    "ambiguous",  # the item can be read in several ways
    "guideline",  # the guidelines do not say
    "careless",  # somebody did not look
    "subjective",  # a matter of taste
]
REASONS: tuple[Reason, ...] = get_args(Reason)


def adjudicated(records: Iterable[RatingRecord]) -> Iterator[RatingRecord]:
    """Yield records with one by the adjudicator in the place of all ratings of a question that was decided."""
    seen = set()
    for record in records:
        question = (record.item, record.metric, record.signature, record.criterion)
        if record.decided is None:
            yield record
        elif question not in seen:
            seen.add(question)
            yield replace(record, rater=ADJUDICATED, rating=record.decided)


def adjudicated_sentences(records: Iterable[EvidenceRecord]) -> Iterator[EvidenceRecord]:
    """Yield records with one by the adjudicator in the place of all judgements of a sentence that was decided.

    Marked words and places stay out of it, since they were not decided.
    """
    seen = set()
    for record in records:
        sentence = (record.item, record.metric, record.signature, record.sentence)
        if record.decided is None:
            yield record
        elif sentence not in seen:
            seen.add(sentence)
            said = {"verdict": record.decided, "kind": record.decided_kind, "severity": record.decided_severity}
            where = dict.fromkeys(("words_start", "words_end", "place", "region", "label", "area", "box"))
            yield replace(record, rater=ADJUDICATED, **said, **where)  # type: ignore[arg-type]
