"""The results of probing metrics with edited captions, as rows and tables."""

from dataclasses import dataclass

from core.captions.replacements import Span
from ui.services.tables import Column, Table, count, number, text


@dataclass(frozen=True, slots=True)
class FallRow:
    """How often and by how much one metric's scores fall after one kind of edit."""

    metric: str
    kind: str  # of core.captions.probes.KINDS
    n: int  # number of edits for which both the unedited and the edited caption have a score
    unscored: int  # number of edits for which the unedited or the edited caption has no score
    fell: float | None  # share of edits whose score fell, [0, 1]
    same: float | None
    rose: float | None
    before: float | None  # mean score of the unedited captions, on the metric's scale
    fall: float | None  # mean of (before - after), on the metric's scale
    fall_low: float | None  # lower end of the 95 % interval of `fall`, bootstrap over images
    fall_high: float | None
    note: str  # reason why a value is missing
    error: str  # reason why the first edit without a score could not be scored; "": all edits have scores


@dataclass(frozen=True, slots=True)
class ProbeExample:
    """An edit that a metric hardly noticed: the metric's score fell least or rose most after it."""

    metric: str
    kind: str
    id: int  # number of the sample
    key: str
    image: str | None  # address of the picture's thumbnail; None: the picture was not found
    caption: str
    edited: str
    before_spans: tuple[Span, ...]  # parts of the unedited caption that the edit changed, as ranges of characters
    after_spans: tuple[Span, ...]  # changed parts of the edited caption
    score: float  # score of the caption, on the metric's scale
    edited_score: float


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """The results of a probe."""

    dataset: str
    captions: int  # number of edited captions
    seed: int
    signatures: dict[str, str]  # by metric
    falls: Table[FallRow]
    examples: Table[ProbeExample]


def remarks(found: ProbeReport) -> list[str]:
    """Return a sentence for every metric that could not score some captions or edits."""
    rows = found.falls.rows
    lines = []
    for metric in found.signatures:
        unscored = [row for row in rows if row.metric == metric and row.unscored]
        if unscored:
            number = sum(row.unscored for row in unscored)
            lines.append(f"{metric} gave no score before or after {number:,} edits. {unscored[0].error}")
    return lines


def falls_table(rows: list[FallRow]) -> Table[FallRow]:
    """Return the table of how often and by how much scores fall."""
    columns = (
        text("metric", "metric"),
        text("edit", "kind"),
        count("n", "n"),
        Column("fell", ("fell",), "share", undefined="–"),
        Column("same", ("same",), "share", undefined="–"),
        Column("rose", ("rose",), "share", undefined="–"),
        number("mean score before", "before", undefined="–"),
        Column("mean fall", ("fall",), "number", undefined="–", strong=True),
        Column("95 % interval", ("fall_low", "fall_high"), "interval"),
        count("not scored", "unscored", brief=False),
        text("note", "note", brief=False),
    )
    footnote = (
        "n is the number of edited captions. Mean fall is the score before the edit minus the score after it, on "
        "the metric's scale; below 0, edited captions score higher. Intervals are bootstrapped over images."
    )
    return Table("How often scores fall", columns, rows, footnote)


def examples_table(rows: list[ProbeExample]) -> Table[ProbeExample]:
    """Return the table of edits that changed a metric's score least."""
    columns = (
        text("metric", "metric"),
        text("edit", "kind"),
        text("caption", "caption"),
        text("edited caption", "edited"),
        number("score", "score"),
        number("score of the edited caption", "edited_score"),
    )
    return Table("Edits that metrics noticed least", columns, rows)
