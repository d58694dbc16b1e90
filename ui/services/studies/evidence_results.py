"""Tables with the results of a study in which raters judged the sentences of explanations as right or wrong.

They show how many sentences are wrong, which positions raters marked as wrong, and how far raters agree. They also show
whether explanations with wrong sentences belong to scores with larger errors.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from core.regions import masks
from core.studies.rater_quality.evidence_raters import SentenceRater, sentence_raters
from core.studies.results.disputes import adjudicated_sentences
from core.studies.results.error_map import ErrorMap, error_maps
from core.studies.results.evidence_agreement import EvidenceAgreement, SentenceVerdict, evidence_agreement
from core.studies.results.evidence_export import EvidenceRecord
from core.studies.results.evidence_shares import (
    RIGHT,
    EvidenceShare,
    evidence_shares,
    right_beside_errors,
    wrong_beside_ratings,
)
from core.studies.results.hint_changes import HintChange, hint_changes
from core.studies.results.marked_places import MarkedPlace, marked_places
from core.studies.results.named_parts import AbsenceRow, NamedParts, absence_rates, named_parts
from core.studies.results.rating_errors import RatingErrorRow, rating_error_table
from core.types import ImageRegion
from storage.rating.content.explained_sentences import Explained
from storage.study_types import Study
from ui.services.studies.hints import sentence_hints
from ui.services.studies.study_actions import counted_records
from ui.services.tables import SHARE, SHOWN_INTERVAL, TAU_TEST, Column, Table, count, number, text
from ui.services.workplace import Workplace

ALL_RIGHT = 0.9999  # explanations with a smaller share of right sentences count as having wrong sentences


@dataclass(frozen=True, slots=True)
class EvidenceResults:
    """All results of raters' judgements of sentences."""

    judgements: int  # number of judgements that count
    raters: int
    left_out: int  # number of excluded judgements: pilots, excluded raters, reassigned items
    shares: Table[EvidenceShare]
    agreement: Table[EvidenceAgreement]
    rater_table: Table[SentenceRater]
    places: Table[MarkedPlace]  # where sentences are wrong; empty: no sentence is wrong
    errors: Table[RatingErrorRow]
    hints: Table[HintChange]  # how judgements changed after hints; empty: no rater saw a hint
    beside_ratings: Table[RatingErrorRow]  # mean ratings, shares of wrong sentences; empty: the form has no criterion
    absences: Table[AbsenceRow]  # how often metrics name things without a region, over all raters; empty: no regions
    maps: tuple[ErrorMap, ...]  # one map for each metric with an error located on a picture

    @property
    def tables(self) -> tuple[Table[Any], ...]:
        """Return every table, in the report's order."""
        return (
            self.shares,
            self.agreement,
            self.places,
            self.rater_table,
            self.hints,
            self.absences,
            self.beside_ratings,
            self.errors,
        )

    def as_json(self) -> dict[str, Any]:
        """Return the rows of every table as plain values."""
        counts = {"judgements": self.judgements, "raters": self.raters, "left_out": self.left_out}
        names = ("shares", "agreement", "places", "rater_table", "hints", "absences", "beside_ratings", "errors")
        return counts | {name: [asdict(row) for row in getattr(self, name).rows] for name in names}


def evidence_results(workplace: Workplace, study: Study, use_decisions: bool = False) -> EvidenceResults | None:
    """Return the results of a study's judgements of sentences, or None.

    None: the study's form asks for no judgements of sentences. use_decisions: an adjudicator's decision replaces the
    raters' judgements of a sentence. This affects only the shares of right and wrong sentences, and the comparisons
    with ratings and score errors. All other tables always use the raters' own judgements. These are the tables about
    agreement, raters, hints and marked positions.
    """
    if study.asks.evidence is None:
        return None
    labels = workplace.repository.analysis.labels(study.dataset)
    every = list(workplace.repository.studies.evidence(study.id))
    records = [_labelled(record, labels) for record in every if not record.left_out]
    used = list(adjudicated_sentences(records)) if use_decisions else records
    explained = workplace.repository.studies.explained(study.id)
    parts = _parts(explained, labels)
    areas = {(part.item, part.signature, part.sentence): part.area for part in parts if part.area is not None}
    low = {criterion.key: criterion.low for criterion in study.asks.criteria}
    return EvidenceResults(
        judgements=len(records),
        raters=len({record.rater for record in records}),
        left_out=len(every) - len(records),
        shares=Table("Sentences of explanations", _SHARES, list(evidence_shares(used, areas, remarked=records))),
        agreement=Table("Agreement on evidence", _AGREEMENT, list(evidence_agreement(_judged(records)))),
        rater_table=Table("Raters of sentences", _RATERS, list(sentence_raters(records))),
        places=Table("Positions that raters marked as wrong", _PLACES, list(marked_places(records))),
        errors=Table(
            "Wrong sentences and score errors",
            _ERRORS,
            list(rating_error_table(right_beside_errors(used), {RIGHT: ALL_RIGHT})),
        ),
        hints=Table("Answers before and after hints", _HINTS, list(hint_changes(records))),
        beside_ratings=Table(
            "Wrong sentences and ratings",
            _BESIDE_RATINGS,
            list(rating_error_table(wrong_beside_ratings(used, list(counted_records(workplace, study))), low)),
        ),
        absences=Table("Things that are not among the annotated regions", _ABSENCES, list(absence_rates(parts))),
        maps=error_maps(records, lambda item: explained.regions.get(item, ())),
    )


def _parts(explained: Explained, labels: Mapping[tuple[str, str], str]) -> list[NamedParts]:
    """Return the objects that each sentence of the explanations names.

    Each object is looked up among the labelled regions of the sentence's picture.
    """
    named = []
    areas = {item: [_area(region) for region in regions] for item, regions in explained.regions.items()}
    for one in explained.sentences:
        hints = sentence_hints(one.text, one.caption, explained.regions[one.item], one.vocabulary)
        metric = labels.get((one.metric, one.signature), one.metric)
        named.append(named_parts(one.item, metric, one.signature, one.number, hints, areas[one.item]))
    return named


def _area(region: ImageRegion) -> float:
    height, width = region.size
    return masks.area(region.rle, region.size) / (height * width)


def _labelled(record: EvidenceRecord, labels: Mapping[tuple[str, str], str]) -> EvidenceRecord:
    return replace(record, metric=labels.get((record.metric, record.signature), record.metric))


def _judged(records: Sequence[EvidenceRecord]) -> list[SentenceVerdict]:
    return [
        SentenceVerdict(
            item=record.item,
            sentence=(record.item, record.metric, record.sentence),
            explanation=(record.item, record.metric),
            rater=record.rater,
            verdict=record.verdict,
            span=(record.words_start or 0, record.words_end or len(record.text)),
            length=len(record.text),
            kind=record.kind,
        )
        for record in records
    ]


_SHARES = (
    text("metric", "metric"),
    text("divided by", "by"),
    text("of these", "group"),
    count("judgements", "n"),
    count("count", "count"),
    SHARE,
    SHOWN_INTERVAL,
)
_PLACES = (
    text("metric", "metric"),
    text("place", "place"),
    count("wrong judgements", "n"),
    count("count", "count"),
    SHARE,
)
_RATERS = (
    text("rater", "rater"),
    count("items", "items"),
    count("sentences", "sentences"),
    Column("called wrong", ("wrong",), "share"),
    number("seconds per item (median)", "seconds", 1),
    number("seconds per sentence (median)", "sentence_seconds", 1),
)
_ABSENCES = (
    text("metric", "metric"),
    count("explanations", "explanations"),
    count("things that explanations mention", "things"),
    count("of these, not among the annotated regions", "absent"),
    SHARE,
    SHOWN_INTERVAL,
    count("explanations with one", "with_absent"),
    Column("share of explanations", ("share_with",), "share"),
)
_BESIDE_RATINGS = (
    text("metric", "metric"),
    text("criterion", "criterion"),
    count("explanations", "n"),
    count("rated low", "n_low"),
    number("share of wrong sentences if rated low", "error_low", undefined="no explanation is rated low"),
    number("share of wrong sentences in other explanations", "error_other", undefined="all explanations are rated low"),
    *TAU_TEST,
)
_HINTS = (
    text("metric", "metric"),
    text("answer", "what"),
    count("sentences with a hint", "n"),
    count("count", "count"),
    SHARE,
    SHOWN_INTERVAL,
)
_AGREEMENT = (
    text("coefficient", "name"),
    number("value", "value"),
    SHOWN_INTERVAL,
    number("by chance alone", "chance"),
    count("n", "n"),
    text("of", "of"),
    text("note", "note"),
)
_ERRORS = (
    text("metric", "metric"),
    count("explanations", "n"),
    count("explanations with a wrong sentence", "n_low"),
    number("their error", "error_low", undefined="none has one"),
    number("error of others", "error_other", undefined="all have one"),
    *TAU_TEST,
)
