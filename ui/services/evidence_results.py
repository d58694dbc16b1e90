"""A study's evidence as tables: what is wrong and where, how far raters agree, wrong sentences beside score errors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.studies.evidence_agreement import EvidenceAgreement, Judged, evidence_agreement
from core.studies.evidence_export import EvidenceRecord
from core.studies.evidence_shares import RIGHT, EvidenceShare, evidence_shares, right_beside_errors
from core.studies.hint_changes import HintChange, hint_changes
from core.studies.rating_errors import RatingErrorRow, rating_error_table
from storage.types import Study
from ui.services.tables import INTERVAL, Column, Table, count, number, text
from ui.services.workplace import Workplace

ALL_RIGHT = 0.9999  # of the share of right sentences: what is below has one that is wrong


@dataclass(frozen=True, slots=True)
class EvidenceResults:
    """Everything computed of what raters said of sentences."""

    judgements: int
    raters: int
    shares: Table[EvidenceShare]
    agreement: Table[EvidenceAgreement]
    errors: Table[RatingErrorRow]
    hints: Table[HintChange]  # empty where nobody saw any

    @property
    def tables(self) -> tuple[Table[Any], ...]:
        """Every table, in the order of the report."""
        return self.shares, self.agreement, self.hints, self.errors


def evidence_results(workplace: Workplace, study: Study) -> EvidenceResults | None:
    """Return what came of a study's evidence; None where its form asks for none."""
    if study.asks.evidence is None:
        return None
    labels = workplace.repository.analysis.labels(study.dataset)
    every = workplace.repository.studies.evidence(study.id)
    records = [_labelled(record, labels) for record in every if not record.left_out]
    return EvidenceResults(
        judgements=len(records),
        raters=len({record.rater for record in records}),
        shares=Table("Sentences of explanations", _SHARES, list(evidence_shares(records))),
        agreement=Table("Agreement on evidence", _AGREEMENT, list(evidence_agreement(_judged(records)))),
        errors=Table(
            "Wrong sentences beside score errors",
            _ERRORS,
            list(rating_error_table(right_beside_errors(records), {RIGHT: ALL_RIGHT})),
        ),
        hints=Table("Answers before and after hints", _HINTS, list(hint_changes(records))),
    )


def _labelled(record: EvidenceRecord, labels: Mapping[tuple[str, str], str]) -> EvidenceRecord:
    return replace(record, metric=labels.get((record.metric, record.signature), record.metric))


def _judged(records: Sequence[EvidenceRecord]) -> list[Judged]:
    return [
        Judged(
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
    Column("share", ("share",), "share"),
    Column("95 % interval", INTERVAL, "interval"),
)
_HINTS = (
    text("metric", "metric"),
    text("answer", "what"),
    count("sentences with a hint", "n"),
    count("count", "count"),
    Column("share", ("share",), "share"),
    Column("95 % interval", INTERVAL, "interval"),
)
_AGREEMENT = (
    text("coefficient", "name"),
    number("value", "value"),
    Column("95 % interval", INTERVAL, "interval"),
    number("by chance alone", "chance"),
    count("n", "n"),
    text("of", "of"),
    text("note", "note"),
)
_ERRORS = (
    text("metric", "metric"),
    count("explanations", "n"),
    count("with a wrong sentence", "n_low"),
    number("their error", "error_low", undefined="none has one"),
    number("error of others", "error_other", undefined="all have one"),
    number("τ-b", "tau_b"),
    number("p", "p"),
    number("p (Holm)", "p_holm"),
    text("note", "note"),
)
