"""Questions on which raters disagree, and the decisions of an adjudicator (a person who settles them).

Ratings are never changed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal, get_args

from core.studies.results.evidence_export import EvidenceRecord
from core.studies.results.export import RatingRecord

FEWEST_POINTS_APART = 2  # a dispute needs answers at least this many points apart; abstentions do not count
LONGEST_WORDS = 2_000  # maximum characters of a decision's text
ADJUDICATED = "adjudicated"  # replaces the rater's code in records that contain an adjudicator's decision

# Reasons for a dispute, as judged by the adjudicator.
Reason = Literal[
    "ambiguous",  # the item has several readings
    "guideline",  # the guidelines have no rule for the case
    "careless",  # a rater did not look carefully
    "subjective",  # the answer is a matter of taste
]
REASONS: tuple[Reason, ...] = get_args(Reason)


def adjudicated(records: Iterable[RatingRecord]) -> Iterator[RatingRecord]:
    """Yield records. If the adjudicator decided a question, one record with the decision replaces all ratings of it."""
    seen = set()
    for record in records:
        question = (record.item, record.metric, record.signature, record.criterion)
        if record.decided is None:
            yield record
        elif question not in seen:
            seen.add(question)
            yield replace(record, rater=ADJUDICATED, rating=record.decided)


def adjudicated_sentences(records: Iterable[EvidenceRecord]) -> Iterator[EvidenceRecord]:
    """Yield records. If the adjudicator decided a sentence, one record replaces all judgements of this sentence.

    This record has no marked words and no position in the picture, because a decision does not include them.
    """
    seen = set()
    for record in records:
        sentence = (record.item, record.metric, record.signature, record.sentence)
        if record.decided is None:
            yield record
        elif sentence not in seen:
            seen.add(sentence)
            verdict = {"verdict": record.decided, "kind": record.decided_kind, "severity": record.decided_severity}
            where = dict.fromkeys(("words_start", "words_end", "place", "region", "label", "area", "box"))
            yield replace(record, rater=ADJUDICATED, **verdict, **where)  # type: ignore[arg-type]
