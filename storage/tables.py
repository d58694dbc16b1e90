"""The tables. What must never be wrong is said here as NOT NULL, CHECK, UNIQUE and foreign keys.

Machine scores and human ratings are apart; ratings are one row per (item, score, rater, criterion), so a new
criterion needs no migration; every change of a rating stays in `events`, which can only grow.
Times are UTC. A change of these tables needs a migration in storage/migrations.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Cast,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    UniqueConstraint,
    cast,
    false,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


LONG = BigInteger().with_variant(Integer, "sqlite")  # SQLite's numbers have 64 bits wherever they are needed


def as_text(json_column: Any) -> Cast[str]:
    """Return what a JSON column holds as the text that was stored: what is only compared need not be parsed."""
    return cast(json_column, String)


class Table(DeclarativeBase):
    """Base of all tables."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {dict[str, Any]: JSON, list[Any]: JSON}


class DatasetRow(Table):
    """A data set: a name for what was imported together."""

    __tablename__ = "datasets"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    notice: Mapped[str]  # what everybody who sees its scores should know; empty for nothing
    created_at: Mapped[datetime]
    # counts what was written to its samples and outcomes, so that what is computed from them is known to be of today
    changes: Mapped[int] = mapped_column(server_default=text("0"))


class ImageRow(Table):
    """A picture of a data set. Without a path it was not found when it was imported."""

    __tablename__ = "images"
    __table_args__ = (
        UniqueConstraint("dataset_id", "name"),
        CheckConstraint("(path IS NULL) = (sha256 IS NULL)", name="found_or_missing"),
        CheckConstraint("(path IS NULL) = (width IS NULL) AND (width IS NULL) = (height IS NULL)", name="known_size"),
        CheckConstraint("width > 0 AND height > 0", name="size"),
        Index(None, "id", "height", "width", unique=True),  # so that annotations can point at a picture of their size
        Index(None, "sha256"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"))
    name: Mapped[str]
    path: Mapped[str | None]
    sha256: Mapped[str | None]
    width: Mapped[int | None]
    height: Mapped[int | None]
    vocabulary: Mapped[list[Any]] = mapped_column(server_default="[]")  # labels looked for when it was annotated


class AnnotationRow(Table):
    """An annotated region of a picture that was found."""

    __tablename__ = "annotations"
    __table_args__ = (
        ForeignKeyConstraint(["image_id", "height", "width"], ["images.id", "images.height", "images.width"]),
        CheckConstraint("place >= 0", name="place"),
        CheckConstraint("length(rle) > 0", name="mask"),
        CheckConstraint("length(label) > 0", name="label"),
        CheckConstraint("is_crowd IN (0, 1)", name="crowd").ddl_if(dialect="sqlite"),  # others know a boolean
    )
    image_id: Mapped[int] = mapped_column(primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)  # 0, 1, 2 ... in the order of the source
    rle: Mapped[str]  # compressed COCO run-length encoding
    height: Mapped[int]  # px, as the picture's
    width: Mapped[int]
    label: Mapped[str | None]
    is_crowd: Mapped[bool]


class SampleRow(Table):
    """An image with a candidate caption."""

    __tablename__ = "samples"
    __table_args__ = (
        UniqueConstraint("dataset_id", "key"),
        CheckConstraint("human BETWEEN 0 AND 1", name="human"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"))
    image_id: Mapped[int] = mapped_column(ForeignKey("images.id"), index=True)
    key: Mapped[str]
    candidate: Mapped[str]
    references: Mapped[list[Any]]
    human: Mapped[float | None]
    judgements: Mapped[list[Any]]
    # key, position, preferred, category of one of two captions to choose between
    pair: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))


class ScoreRow(Table):
    """A metric's score of a sample, or why there is none."""

    __tablename__ = "scores"
    __table_args__ = (
        UniqueConstraint("sample_id", "signature"),
        CheckConstraint("(value IS NULL) = (error_kind IS NOT NULL)", name="value_or_error"),
        CheckConstraint("(error_kind IS NULL) = (error_message IS NULL)", name="error"),
        CheckConstraint("value BETWEEN scale_low AND scale_high", name="within_scale"),
        CheckConstraint("scale_low < scale_high", name="scale"),
        Index(None, "metric", "sample_id"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    sample_id: Mapped[int] = mapped_column(ForeignKey("samples.id"))
    metric: Mapped[str]
    signature: Mapped[str]
    value: Mapped[float | None]
    scale_low: Mapped[float]
    scale_high: Mapped[float]
    components: Mapped[dict[str, Any]]
    rationales: Mapped[dict[str, Any]]
    phrases: Mapped[list[Any]]
    regions: Mapped[list[Any]]
    cut: Mapped[float | None]  # support from which phrases and regions count; NULL without regions
    encoder: Mapped[str | None]  # what compared phrases with regions; NULL without regions
    explained: Mapped[bool]  # whether there are words to rate
    error_kind: Mapped[str | None]  # one of core.errors.ErrorKind
    error_message: Mapped[str | None]


class StudyRow(Table):
    """A set of items to be rated, and how they were drawn."""

    __tablename__ = "studies"
    __table_args__ = (
        CheckConstraint("form IN ('single', 'side_by_side')", name="form"),
        CheckConstraint("raters_per_item > 0", name="raters_per_item"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"))
    form: Mapped[str]
    veil: Mapped[bool]
    overlay: Mapped[bool] = mapped_column(server_default=false())  # raters see a metric's regions on the picture
    uniform: Mapped[bool] = mapped_column(server_default=false())  # explanations in one layout, numbers rounded
    raters_per_item: Mapped[int | None]
    seed: Mapped[int]
    strata: Mapped[list[Any]]  # [[name, items drawn], ...]
    created_at: Mapped[datetime]


class StudyCourseRow(Table):
    """How a study goes: whether it gives out items, how many to whom and until when. Every study has one."""

    __tablename__ = "study_courses"
    __table_args__ = (
        CheckConstraint("state IN ('draft', 'pilot', 'running', 'paused', 'closed', 'archived')", name="state"),
        CheckConstraint("pilot_items > 0", name="pilot_items"),
        CheckConstraint("(state <> 'pilot') OR (pilot_items IS NOT NULL)", name="pilot"),
        CheckConstraint("items_per_rater > 0", name="items_per_rater"),
        CheckConstraint("hold_hours > 0", name="hold_hours"),
    )
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    state: Mapped[str]  # core.studies.life_cycle.State
    deadline: Mapped[datetime | None]  # from when on nothing is given out
    pilot_items: Mapped[int | None]  # how many of the first items a pilot gives out
    items_per_rater: Mapped[int | None]  # NULL: as many as there are
    hold_hours: Mapped[float]  # without a sign of life from a rater, until their open items go to others


class StudyFormRow(Table):
    """The form of a study, as its file was when the study was made. Studies from before have EXPERT's."""

    __tablename__ = "study_forms"
    __table_args__ = (
        CheckConstraint("version > 0", name="version"),
        CheckConstraint("length(sha256) = 64", name="sha256"),
    )
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    key: Mapped[str]
    version: Mapped[int]  # 1, 2 ... of the texts that studies have had under that key
    sha256: Mapped[str]  # of the text
    text: Mapped[str]


class StudyCriterionRow(Table):
    """A criterion of a study, with the points that may be stored for it."""

    __tablename__ = "study_criteria"
    __table_args__ = (
        UniqueConstraint("study_id", "criterion", "lowest", "highest"),
        CheckConstraint("lowest >= 0 AND lowest < highest", name="points"),
    )
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    criterion: Mapped[str] = mapped_column(primary_key=True)
    place: Mapped[int]
    lowest: Mapped[int]  # 0 only where raters may abstain, if only because the picture is missing
    highest: Mapped[int]


class ItemRow(Table):
    """A sample of a study."""

    __tablename__ = "items"
    __table_args__ = (UniqueConstraint("study_id", "place"), UniqueConstraint("study_id", "id"))
    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"))
    place: Mapped[int]  # 0, 1, 2 ... in the drawn order
    sample_id: Mapped[int] = mapped_column(ForeignKey("samples.id"))
    stratum: Mapped[str]


class ControlRow(Table):
    """What tells an item that is put in from the study's own: training, gold, the repeat of another one.

    It counts in no result. Gold and training are there only once somebody has approved them; repeats are made when a
    rater's turn comes.
    """

    __tablename__ = "controls"
    __table_args__ = (
        ForeignKeyConstraint(["study_id", "item_id"], ["items.study_id", "items.id"]),
        ForeignKeyConstraint(["study_id", "original_id"], ["items.study_id", "items.id"]),
        CheckConstraint("role IN ('training', 'gold', 'repeat')", name="role"),
        CheckConstraint("(role = 'repeat') = (original_id IS NOT NULL)", name="original"),
        CheckConstraint("(role = 'repeat') = (approved_at IS NULL)", name="approved"),
        CheckConstraint("(approved_at IS NULL) = (approved_by IS NULL)", name="approved_by"),
        Index(None, "study_id", "role"),
    )
    item_id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int]
    role: Mapped[str]  # core.studies.quality.Role
    original_id: Mapped[int | None] = mapped_column(unique=True)  # the item that a repeat repeats
    turned: Mapped[bool] = mapped_column(server_default=false())  # its scores are shown turned: the low ones high
    expected: Mapped[dict[str, Any]]  # criterion -> [lowest, highest] that is right; {} for a repeat
    approved_by: Mapped[str | None]
    approved_at: Mapped[datetime | None]
    retired_at: Mapped[datetime | None]  # from when on it is given to nobody and counts nowhere


class AdjudicationRow(Table):
    """What somebody decided about one question on which raters lie apart. Rows are only added; the newest counts."""

    __tablename__ = "adjudications"
    __table_args__ = (
        ForeignKeyConstraint(["item_id", "score_id"], ["item_scores.item_id", "item_scores.score_id"]),
        ForeignKeyConstraint(["study_id", "item_id"], ["items.study_id", "items.id"]),
        ForeignKeyConstraint(
            ["study_id", "criterion", "lowest", "highest"],
            ["study_criteria.study_id", "study_criteria.criterion", "study_criteria.lowest", "study_criteria.highest"],
        ),
        CheckConstraint("point BETWEEN lowest AND highest", name="point"),
        CheckConstraint("reason IN ('ambiguous', 'guideline', 'careless', 'subjective')", name="reason"),
        CheckConstraint("length(adjudicator) > 0", name="adjudicator"),
        Index(None, "study_id", "item_id"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int]
    item_id: Mapped[int]
    score_id: Mapped[int]
    criterion: Mapped[str]
    lowest: Mapped[int]
    highest: Mapped[int]
    point: Mapped[int]
    reason: Mapped[str]  # core.studies.disputes.Reason: why raters were apart
    words: Mapped[str]  # of the adjudicator's own
    adjudicator: Mapped[str]  # an account's name; "this machine" where nobody signs in
    at: Mapped[datetime]


class StudyQualityRow(Table):
    """How the raters of a study are watched; a study without a row is watched as by default."""

    __tablename__ = "study_quality"
    __table_args__ = (
        CheckConstraint("gold_every > 0", name="gold_every"),
        CheckConstraint("repeat_every > 0", name="repeat_every"),
    )
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    thresholds: Mapped[dict[str, Any]]  # core.studies.quality_flags.Thresholds; what is missing is as by default
    gold_every: Mapped[int | None]  # one gold item among so many, where there are any left; NULL: none
    repeat_every: Mapped[int | None]  # one repeat among so many; NULL: none


class ItemScoreRow(Table):
    """What is to be rated on an item: a score with its explanation, or a caption alone."""

    __tablename__ = "item_scores"
    __table_args__ = (
        CheckConstraint("score_id = coalesce(score, -caption)", name="rated"),
        CheckConstraint("(score IS NULL) <> (caption IS NULL)", name="one"),
    )
    item_id: Mapped[int] = mapped_column(ForeignKey("items.id"), primary_key=True)
    score_id: Mapped[int] = mapped_column(primary_key=True)  # the score's id; of a caption alone minus its sample's
    place: Mapped[int]  # 0, 1 ... as the metrics were asked for; raters see another order
    score: Mapped[int | None] = mapped_column(ForeignKey("scores.id"))
    caption: Mapped[int | None] = mapped_column(ForeignKey("samples.id"))


class RaterRow(Table):
    """A rater, known by a short code only."""

    __tablename__ = "raters"
    id: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(unique=True)
    created_at: Mapped[datetime]


class ParticipationRow(Table):
    """A rater in a study."""

    __tablename__ = "participations"
    __table_args__ = (UniqueConstraint("study_id", "number"),)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    rater_id: Mapped[int] = mapped_column(ForeignKey("raters.id"), primary_key=True)
    number: Mapped[int]  # 0, 1, 2 ... in the order of joining; the seed of the rater's own order
    seen_at: Mapped[datetime | None]  # when they last asked for items; what they answered later says more
    pilot: Mapped[bool] = mapped_column(server_default=false())  # joined while the study was tried out


class ExclusionRow(Table):
    """A rater whose ratings count neither for the items nor in reports; they are kept."""

    __tablename__ = "exclusions"
    __table_args__ = (
        ForeignKeyConstraint(["study_id", "rater_id"], ["participations.study_id", "participations.rater_id"]),
        CheckConstraint("length(reason) > 0", name="reason"),
    )
    study_id: Mapped[int] = mapped_column(primary_key=True)
    rater_id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    reason: Mapped[str]


class AssignmentRow(Table):
    """An item given to a rater, with the order in which its panels stand.

    One that is released counts for its item no more, which goes to another rater; what was answered stays. If its
    rater finishes it all the same, it has a place again and counts for the rater, though not for the item.
    """

    __tablename__ = "assignments"
    __table_args__ = (
        UniqueConstraint("item_id", "rater_id"),
        UniqueConstraint("study_id", "rater_id", "place"),
        ForeignKeyConstraint(["study_id", "item_id"], ["items.study_id", "items.id"]),
        ForeignKeyConstraint(["study_id", "rater_id"], ["participations.study_id", "participations.rater_id"]),
    )
    id: Mapped[str] = mapped_column(primary_key=True)  # random, so that nobody can guess another one
    study_id: Mapped[int]
    item_id: Mapped[int]
    rater_id: Mapped[int]
    place: Mapped[int]  # 1, 2, 3 ... in the rater's own order; below 0: given back unfinished
    slot: Mapped[int] = mapped_column(server_default=text("0"))  # balances the order of panels over an item's raters
    panels: Mapped[list[Any]]  # score_id of the item's ItemScoreRows, first panel first
    revealed_at: Mapped[datetime | None]  # when the veil was lifted from the picture
    finished_at: Mapped[datetime | None]  # when the last missing answer came
    released_at: Mapped[datetime | None]  # from when on the item is for others
    note: Mapped[str]


class RatingRow(Table):
    """The present answer to one question."""

    __tablename__ = "ratings"
    __table_args__ = (
        ForeignKeyConstraint(["item_id", "rater_id"], ["assignments.item_id", "assignments.rater_id"]),
        ForeignKeyConstraint(["item_id", "score_id"], ["item_scores.item_id", "item_scores.score_id"]),
        ForeignKeyConstraint(["study_id", "item_id"], ["items.study_id", "items.id"]),
        ForeignKeyConstraint(
            ["study_id", "criterion", "lowest", "highest"],
            ["study_criteria.study_id", "study_criteria.criterion", "study_criteria.lowest", "study_criteria.highest"],
        ),
        CheckConstraint("point BETWEEN lowest AND highest", name="point"),
        CheckConstraint("typeof(point) = 'integer'", name="whole").ddl_if(dialect="sqlite"),
        CheckConstraint("duration_ms >= 0", name="duration"),
        # All that a mean rating is made of, in the order in which it is added up: the rows themselves stay unread.
        Index(None, "study_id", "criterion", "item_id", "point"),
    )
    item_id: Mapped[int] = mapped_column(primary_key=True)
    score_id: Mapped[int] = mapped_column(primary_key=True)
    rater_id: Mapped[int] = mapped_column(primary_key=True)
    criterion: Mapped[str] = mapped_column(primary_key=True)
    study_id: Mapped[int]
    lowest: Mapped[int]
    highest: Mapped[int]
    point: Mapped[int]
    started_at: Mapped[datetime]  # when the item was put before the rater
    submitted_at: Mapped[datetime]  # when this answer was given
    duration_ms: Mapped[int] = mapped_column(LONG)  # time with the item in sight until this answer
    regions_shown: Mapped[bool] = mapped_column(server_default=false())  # over the picture, at this answer


class EventRow(Table):
    """One thing a rater did. Rows are only ever added."""

    __tablename__ = "events"
    __table_args__ = (
        UniqueConstraint("rater_id", "request_key"),
        CheckConstraint("kind IN ('rating', 'reveal', 'note', 'sentence', 'whole')", name="kind"),
        CheckConstraint(
            "(kind = 'rating') = (new_point IS NOT NULL) AND (kind = 'rating') = (criterion IS NOT NULL)", name="rating"
        ),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    request_key: Mapped[str]  # made by the browser once a save, so that a repeated one does nothing
    at: Mapped[datetime]  # when the rater did it
    received_at: Mapped[datetime]  # when the server stored it
    rater_id: Mapped[int] = mapped_column(ForeignKey("raters.id"))
    assignment_id: Mapped[str] = mapped_column(ForeignKey("assignments.id"), index=True)
    kind: Mapped[str]
    score_id: Mapped[int | None] = mapped_column(ForeignKey("scores.id"))
    criterion: Mapped[str | None]
    old_point: Mapped[int | None]
    new_point: Mapped[int | None]
    text: Mapped[str | None]  # of a note; of a sentence or a whole explanation all that was said of it, as JSON


class ItemSentenceRow(Table):
    """A sentence of an explanation, as it was when the study was made: it is never split anew."""

    __tablename__ = "item_sentences"
    __table_args__ = (
        ForeignKeyConstraint(["item_id", "score_id"], ["item_scores.item_id", "item_scores.score_id"]),
        CheckConstraint("number > 0", name="number"),
        CheckConstraint('start >= 0 AND start < "end"', name="span"),
    )
    item_id: Mapped[int] = mapped_column(primary_key=True)
    score_id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)  # 1, 2, 3 ... over all aspects
    aspect: Mapped[str]
    start: Mapped[int]  # characters of the aspect's text as raters see it
    end: Mapped[int]  # exclusive
    text: Mapped[str]
    splitter: Mapped[str]  # what cut it, with its version


class SentenceJudgementRow(Table):
    """What a rater says of a sentence now."""

    __tablename__ = "sentence_judgements"
    __table_args__ = (
        ForeignKeyConstraint(
            ["item_id", "score_id", "number"],
            ["item_sentences.item_id", "item_sentences.score_id", "item_sentences.number"],
        ),
        ForeignKeyConstraint(["item_id", "rater_id"], ["assignments.item_id", "assignments.rater_id"]),
        CheckConstraint("verdict IN ('right', 'wrong', 'unclear', 'beside')", name="verdict"),
        CheckConstraint(
            "kind IN ('object', 'attribute', 'number', 'spatial_relation', 'text', 'named_entity')", name="kind"
        ),
        CheckConstraint("severity IN ('minor', 'major')", name="severity"),
        CheckConstraint("verdict = 'wrong' OR (kind IS NULL AND severity IS NULL AND start IS NULL)", name="wrong"),
        CheckConstraint(
            '(start IS NULL) = ("end" IS NULL) AND (start IS NULL OR (start >= 0 AND start < "end"))', name="span"
        ),
        CheckConstraint("duration_ms >= 0", name="duration"),
    )
    item_id: Mapped[int] = mapped_column(primary_key=True)
    score_id: Mapped[int] = mapped_column(primary_key=True)
    rater_id: Mapped[int] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)  # of the sentence
    study_id: Mapped[int] = mapped_column(index=True)
    verdict: Mapped[str]
    start: Mapped[int | None]  # of the wrong words, in characters of the sentence; NULL: all of it
    end: Mapped[int | None]  # exclusive
    kind: Mapped[str | None]
    severity: Mapped[str | None]
    # of the error on the picture; NULL: not said; core.studies.evidence.Place
    place: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    hint_shown: Mapped[bool]  # when this was said
    started_at: Mapped[datetime]  # when the item was put before the rater
    submitted_at: Mapped[datetime]
    duration_ms: Mapped[int] = mapped_column(LONG)  # time with the item in sight until then


class ExplanationRemarkRow(Table):
    """What a rater says of a whole explanation now."""

    __tablename__ = "explanation_remarks"
    __table_args__ = (
        ForeignKeyConstraint(["item_id", "score_id"], ["item_scores.item_id", "item_scores.score_id"]),
        ForeignKeyConstraint(["item_id", "rater_id"], ["assignments.item_id", "assignments.rater_id"]),
    )
    item_id: Mapped[int] = mapped_column(primary_key=True)
    score_id: Mapped[int] = mapped_column(primary_key=True)
    rater_id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(index=True)
    overlooked: Mapped[list[Any]]  # places on the picture that the explanation overlooks
    no_fault: Mapped[bool]  # what it says is true, but no fault of the caption
    submitted_at: Mapped[datetime]


class ReleaseRow(Table):
    """Items that a rater had and has no more, all at once."""

    __tablename__ = "releases"
    __table_args__ = (
        ForeignKeyConstraint(["study_id", "rater_id"], ["participations.study_id", "participations.rater_id"]),
        CheckConstraint("why IN ('expired', 'returned', 'timed_out', 'by_hand', 'excluded')", name="why"),
        CheckConstraint("items > 0", name="items"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    study_id: Mapped[int]
    rater_id: Mapped[int]
    why: Mapped[str]  # core.studies.life_cycle.Release
    items: Mapped[int]


class ErasureRow(Table):
    """That a rater's or a study's data were erased. Rows are only added; one that is open lets events be taken away."""

    __tablename__ = "erasures"
    __table_args__ = (CheckConstraint("(rater_id IS NULL) <> (study IS NULL)", name="of_one"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("raters.id"))  # who has no code any more
    study: Mapped[int | None]  # the number that it had
    ratings_kept: Mapped[bool]
    events_gone: Mapped[int]
    open: Mapped[bool]  # while it is at work, in one transaction


class CodebookRow(Table):
    """An own codebook; those of the papers are in core/analysis/codebooks.py."""

    __tablename__ = "codebooks"
    name: Mapped[str] = mapped_column(primary_key=True)
    source: Mapped[str]
    codes: Mapped[list[Any]]  # [[key, label], ...] in the order of their digit keys


class CodingRow(Table):
    """A coder's category for one metric's error on a sample."""

    __tablename__ = "codings"
    __table_args__ = (CheckConstraint("length(coder) > 0 AND length(code) > 0", name="named"),)
    sample_id: Mapped[int] = mapped_column(ForeignKey("samples.id"), primary_key=True)
    metric: Mapped[str] = mapped_column(primary_key=True)  # as the analysis names it: a name or a signature
    codebook: Mapped[str] = mapped_column(primary_key=True)
    coder: Mapped[str] = mapped_column(primary_key=True)
    code: Mapped[str]
    coded_at: Mapped[datetime]


class SliceRow(Table):
    """A saved filter over a data set's samples."""

    __tablename__ = "slices"
    dataset_id: Mapped[int] = mapped_column(ForeignKey("datasets.id"), primary_key=True)
    name: Mapped[str] = mapped_column(primary_key=True)
    conditions: Mapped[dict[str, Any]]  # core.analysis.slices.slice_json


class AccountRow(Table):
    """Somebody who may sign in."""

    __tablename__ = "accounts"
    __table_args__ = (
        CheckConstraint("role IN ('viewer', 'researcher', 'admin')", name="role"),
        CheckConstraint("length(name) > 0", name="named"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)  # in small letters
    role: Mapped[str]
    password: Mapped[str | None]  # Argon2's hash with its parameters; NULL: none was set yet
    subject: Mapped[str | None] = mapped_column(
        unique=True
    )  # who it is at the OIDC provider, once they came from there
    disabled: Mapped[bool] = mapped_column(server_default=false())
    created_at: Mapped[datetime]


class PasswordLinkRow(Table):
    """A link with which the holder of an account sets their password, once."""

    __tablename__ = "password_links"
    id: Mapped[int] = mapped_column(primary_key=True)
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id"))
    token_hash: Mapped[str] = mapped_column(unique=True)
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]  # or when a newer one took its place


class StudyLinkRow(Table):
    """A link that leads raters into one study."""

    __tablename__ = "study_links"
    __table_args__ = (
        CheckConstraint("uses_allowed > 0", name="uses_allowed"),
        CheckConstraint("used >= 0 AND (uses_allowed IS NULL OR used <= uses_allowed)", name="used"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), index=True)
    token_hash: Mapped[str] = mapped_column(unique=True)
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("raters.id"))  # NULL: whoever comes gives a code
    uses_allowed: Mapped[int | None]  # NULL: any number
    used: Mapped[int] = mapped_column(server_default=text("0"))  # browsers that were let in by it
    made_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    closed_at: Mapped[datetime | None]


class LinkPanelRow(Table):
    """The panel behind a study link: whoever comes by it is whom the panel says."""

    __tablename__ = "link_panels"
    link_id: Mapped[int] = mapped_column(ForeignKey("study_links.id"), primary_key=True)
    panel: Mapped[dict[str, Any]]  # core.studies.panel.panel_json


class StudyEntryRow(Table):
    """What stands before and after a study's items."""

    __tablename__ = "study_entries"
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    entry: Mapped[dict[str, Any]]  # core.studies.entry.entry_json


class VisitRow(Table):
    """How far somebody has come in a study beside its items."""

    __tablename__ = "visits"
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    rater_id: Mapped[int] = mapped_column(ForeignKey("raters.id"), primary_key=True)
    came_at: Mapped[datetime]
    consented_at: Mapped[datetime | None]
    answered_at: Mapped[datetime | None]  # the questions before
    screened_out_at: Mapped[datetime | None]
    returned_at: Mapped[datetime | None]
    answered_after_at: Mapped[datetime | None]


class EntryAnswerRow(Table):
    """An answer to a question before or after the items."""

    __tablename__ = "entry_answers"
    __table_args__ = (
        ForeignKeyConstraint(["study_id", "rater_id"], ["visits.study_id", "visits.rater_id"]),
        CheckConstraint("phase IN ('before', 'after')", name="phase"),
    )
    study_id: Mapped[int] = mapped_column(primary_key=True)
    rater_id: Mapped[int] = mapped_column(primary_key=True)
    phase: Mapped[str] = mapped_column(primary_key=True)
    question: Mapped[str] = mapped_column(primary_key=True)  # as it was asked
    place: Mapped[int]
    answer: Mapped[str]


class PlatformPersonRow(Table):
    """What a panel calls a rater: apart from everything that they rate, in no export."""

    __tablename__ = "platform_people"
    __table_args__ = (
        UniqueConstraint("study_id", "person"),
        CheckConstraint("length(person) > 0", name="person"),
    )
    study_id: Mapped[int] = mapped_column(ForeignKey("studies.id"), primary_key=True)
    rater_id: Mapped[int] = mapped_column(ForeignKey("raters.id"), primary_key=True)
    link_id: Mapped[int] = mapped_column(ForeignKey("study_links.id"))
    person: Mapped[str]
    platform_study: Mapped[str]
    session: Mapped[str]  # of the latest arrival


class SessionRow(Table):
    """A browser in which somebody has said who they are: the holder of an account, or a rater."""

    __tablename__ = "sessions"
    __table_args__ = (
        CheckConstraint("(account_id IS NULL) <> (rater_id IS NULL)", name="one_person"),
        CheckConstraint("link_id IS NULL OR rater_id IS NOT NULL", name="link"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    token_hash: Mapped[str] = mapped_column(unique=True)
    account_id: Mapped[int | None] = mapped_column(ForeignKey("accounts.id"), index=True)
    rater_id: Mapped[int | None] = mapped_column(ForeignKey("raters.id"), index=True)
    link_id: Mapped[int | None] = mapped_column(ForeignKey("study_links.id"), index=True)  # by which the rater came
    browser: Mapped[str]  # in a few words, for whoever looks through their sessions
    made_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    revoked_at: Mapped[datetime | None]


class AuditRow(Table):
    """One thing that was done to what is stored, other than by rating. Rows are only ever added."""

    __tablename__ = "audit"
    __table_args__ = (CheckConstraint("length(actor) > 0 AND length(deed) > 0", name="told"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    actor: Mapped[str]  # an account's name; "this machine" where nobody signs in; "command line"
    deed: Mapped[str]  # a few words that never change: "study made"
    object: Mapped[str]  # to what: "study 3"; empty where the deed says all
    address: Mapped[str | None]  # of the client; only of those who signed in or tried to
