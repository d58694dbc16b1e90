"""What the columns of a study's tables mean, for those who read a bundle without Capscope.

A column that points at another table's rows needs no words: it says where it points.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column

from storage.transfer.bundle import bundled_tables
from storage.transfer.bundle_import import aim

_UTC = "UTC, ISO 8601"
_NUMBER = "the row's number"
_RATED = "what was rated: one of scores.id, or minus one of samples.id where captions alone are rated"
_WORDS: dict[str, tuple[str, str]] = {  # table.column -> unit or range, meaning
    "adjudications.criterion": ("", "the question, by its key in the form"),
    "adjudications.lowest": ("", "the lowest point that may be stored"),
    "adjudications.highest": ("", "the highest"),
    "adjudications.point": ("a point of the criterion's scale", "the decision; the newest one counts"),
    "adjudications.reason": ("ambiguous, guideline, careless, subjective", "why raters were apart"),
    "adjudications.words": ("", "the adjudicator's words"),
    "adjudications.adjudicator": ("account 1, account 2 ...", "who decided"),
    "adjudications.at": (_UTC, "when"),
    "annotations.place": ("0 and up", "the region's place in its source"),
    "annotations.rle": ("", "the region's mask: compressed COCO run-length encoding"),
    "annotations.label": ("", "what the source calls it"),
    "annotations.is_crowd": ("", "whether it holds several things that were not told apart"),
    "annotations.width": ("px", "the mask's width, the picture's"),
    "annotations.height": ("px", "the mask's height"),
    "assignments.id": ("", _NUMBER + ", a random text"),
    "assignments.place": ("1 and up; below 0: given back unfinished", "the item's place in the rater's own order"),
    "assignments.slot": ("0 and up", "what balances the order of panels over an item's raters"),
    "assignments.panels": ("numbers of scores", "the explanations in the order in which they stood on the page"),
    "assignments.given_at": (_UTC, "when the rater got the item; empty in rows older than this column"),
    "assignments.revealed_at": (_UTC, "when the veil was lifted from the picture"),
    "assignments.finished_at": (_UTC, "when the last missing answer came"),
    "assignments.released_at": (_UTC, "from when on the item was for others"),
    "assignments.note": ("", "what the rater wrote about the item"),
    "codebooks.name": ("", "its name"),
    "codebooks.source": ("", "whose categories they are"),
    "codebooks.codes": ("pairs of key and label", "the categories, in the order of their digit keys"),
    "codings.metric": ("", "whose error was coded: a metric's name, or a signature where it has several"),
    "codings.codebook": ("", "the codebook's name"),
    "codings.coder": ("", "who coded"),
    "codings.code": ("a key of the codebook", "the category"),
    "codings.coded_at": (_UTC, "when"),
    "controls.role": ("training, gold, repeat", "why the item was put in"),
    "controls.turned": ("", "whether scores were shown turned: the low ones high"),
    "controls.expected": ("points", "criterion -> lowest and highest answer that is right"),
    "controls.approved_by": ("account 1, account 2 ...", "who let it be given out"),
    "controls.approved_at": (_UTC, "when"),
    "controls.retired_at": (_UTC, "from when on it was given to nobody and counts nowhere"),
    "datasets.name": ("", "its name"),
    "datasets.notice": ("", "what everybody who sees its scores should know"),
    "datasets.created_at": (_UTC, "when it was first imported"),
    "datasets.changes": ("0 and up", "how often its samples and scores were written to"),
    "datasets.hidden": ("", "empty: nobody is making or deleting it"),
    "erasures.at": (_UTC, "when"),
    "erasures.study": ("", "the number that an erased study had"),
    "erasures.ratings_kept": ("", "whether the ratings stayed, without the rater"),
    "erasures.events_gone": ("0 and up", "how many events went"),
    "erasures.open": ("", "whether the erasure was under way"),
    "events.request_key": ("", "made by the browser once a save, so that a repeated one does nothing"),
    "events.at": (_UTC, "when the rater did it"),
    "events.received_at": (_UTC, "when the server stored it"),
    "events.kind": ("rating, reveal, note, sentence, whole", "what the rater did"),
    "events.criterion": ("", "of a rating: the question"),
    "events.old_point": ("a point of the criterion's scale; 0: abstained", "the answer before"),
    "events.new_point": ("a point of the criterion's scale; 0: abstained", "the answer"),
    "events.text": (
        "",
        "of a note: its text; of a sentence or the whole: all that was said, as JSON; with hints where these were "
        "shown at that moment",
    ),
    "exclusions.at": (_UTC, "when"),
    "exclusions.reason": ("", "why the rater's answers count in no report"),
    "explanation_remarks.overlooked": ("", "places on the picture that the explanation overlooks"),
    "explanation_remarks.no_fault": ("", "whether what it says is true, but no fault of the caption"),
    "explanation_remarks.submitted_at": (_UTC, "when"),
    "images.name": ("", "the picture, as its source names it"),
    "images.path": ("", "its place in the bundle, whether it came along or not; null: it was not found"),
    "images.sha256": (
        "64 hex digits",
        "SHA-256 of the file in the bundle; of the imported file if no picture came along",
    ),
    "images.width": ("px", "its width"),
    "images.height": ("px", "its height"),
    "images.vocabulary": ("labels", "all that was looked for when it was annotated"),
    "item_scores.place": ("0 and up", "as the metrics were asked for; raters see another order"),
    "item_scores.score": ("the metric's own scale", "the score as shown, where it is not the metric's"),
    "item_scores.caption": ("", "the caption as shown, where it is not the sample's"),
    "item_sentences.number": ("1 and up", "the sentence's place in the explanation, over all aspects"),
    "item_sentences.aspect": ("", "the part of the explanation that it stands in"),
    "item_sentences.start": ("characters", "where it begins in that part, as raters see it"),
    "item_sentences.end": ("characters", "where it ends, exclusive"),
    "item_sentences.text": ("", "the sentence"),
    "item_sentences.splitter": ("", "what cut it, with its version"),
    "items.place": ("0 and up", "the item's place in the drawn order"),
    "items.stratum": ("", "the stratum that it was drawn from"),
    "items.takers": ("0 and up", "raters who hold the item, of studies whose raters share items; pilots not counted"),
    "items.reopened": ("", "whether the item had all its raters once and has fewer now"),
    "participations.number": ("0 and up", "in the order of joining; the seed of the rater's own order"),
    "participations.seen_at": (_UTC, "when the rater last asked for items"),
    "participations.pilot": ("", "whether they joined while the study was tried out"),
    "participations.reached": ("0 and up", "place in the rater's order from which the next item is looked for"),
    "raters.code": ("", "the rater's code, here alone"),
    "raters.created_at": (_UTC, "when the rater first came"),
    "ratings.criterion": ("", "the question, by its key in the form"),
    "ratings.lowest": ("", "the lowest point that may be stored"),
    "ratings.highest": ("", "the highest"),
    "ratings.point": ("a point of the criterion's scale; 0: abstained; -1: no picture", "the present answer"),
    "ratings.started_at": (_UTC, "when the item was put before the rater"),
    "ratings.submitted_at": (_UTC, "when the answer was given"),
    "ratings.duration_ms": ("ms", "time with the item in sight until the answer"),
    "ratings.regions_shown": ("", "whether a metric's regions lay over the picture at this answer"),
    "ratings.picture_shown": ("", "whether the picture was on the page by then; null: the browser did not say"),
    "ratings.late": ("", "whether the answer reached the server after the study had closed"),
    "releases.at": (_UTC, "when"),
    "releases.why": ("expired, returned, timed_out, by_hand, excluded", "why the rater has them no more"),
    "releases.items": ("1 and up", "how many"),
    "samples.key": ("", "its key in the data set"),
    "samples.candidate": ("", "the caption"),
    "samples.references": ("captions", "what people wrote of the picture"),
    "samples.human": ("0 to 1", "mean human judgement, rescaled"),
    "samples.judgements": ("numbers", "what each person said"),
    "samples.pair": ("", "of a pair to choose from: key, position, preferred, category"),
    "scores.metric": ("", "its name"),
    "scores.signature": ("", "how the score was computed: model, revision, prompt, settings"),
    "scores.value": ("scale_low to scale_high", "the score; null: there is none, for the reason given"),
    "scores.scale_low": ("", "the lowest score there is"),
    "scores.scale_high": ("", "the highest"),
    "scores.components": (
        "numbers by name",
        "what the score is made of; “Scores” in the documentation lists the names",
    ),
    "scores.rationales": ("texts by aspect", "the explanation"),
    "scores.phrases": ("", "the caption's phrases, each with its support"),
    "scores.regions": ("", "what the metric looked at"),
    "scores.cut": ("", "support from which phrases and regions count"),
    "scores.encoder": ("", "what compared phrases with regions"),
    "scores.explained": ("", "whether there are words to rate"),
    "scores.error_kind": ("", "why there is no score, in one word"),
    "scores.error_message": ("", "why there is no score"),
    "scores.usage": ("tokens", "as the model server counted them; null: no server answered, or nothing was stored"),
    "scores.seconds": ("s, by part", "how long it took; null: not measured"),
    "sentence_adjudications.number": ("1 and up", "the sentence's place in the explanation"),
    "sentence_adjudications.verdict": ("right, wrong, unclear, beside", "the decision; the newest one counts"),
    "sentence_adjudications.kind": ("object, attribute, number, spatial_relation, text, named_entity", "what is wrong"),
    "sentence_adjudications.severity": ("minor, major", "how bad it is"),
    "sentence_adjudications.reason": ("ambiguous, guideline, careless, subjective", "why raters differed"),
    "sentence_adjudications.words": ("", "the adjudicator's words"),
    "sentence_adjudications.adjudicator": ("account 1, account 2 ...", "who decided"),
    "sentence_adjudications.at": (_UTC, "when"),
    "sentence_judgements.number": ("1 and up", "the sentence's place in the explanation"),
    "sentence_judgements.verdict": ("right, wrong, unclear, beside", "what the rater says of the sentence"),
    "sentence_judgements.start": ("characters of the sentence", "where the wrong words begin; null: all of it"),
    "sentence_judgements.end": ("characters of the sentence", "where they end, exclusive"),
    "sentence_judgements.kind": ("object, attribute, number, spatial_relation, text, named_entity", "what is wrong"),
    "sentence_judgements.severity": ("minor, major", "how bad it is"),
    "sentence_judgements.place": ("", "where the error is on the picture"),
    "sentence_judgements.hint_shown": ("", "whether its rater was shown, after the first answer, where its things are"),
    "sentence_judgements.started_at": (_UTC, "when the item was put before the rater"),
    "sentence_judgements.submitted_at": (_UTC, "when this was said"),
    "sentence_judgements.duration_ms": ("ms", "time with the item in sight until then"),
    "sentence_judgements.picture_shown": (
        "",
        "whether the picture was on the page by then; null: the browser did not say",
    ),
    "sentence_judgements.late": ("", "whether the answer reached the server after the study had closed"),
    "slices.name": ("", "its name"),
    "slices.conditions": ("", "which samples are in it"),
    "studies.name": ("", "its name"),
    "studies.form": ("single, side_by_side", "whether one explanation is shown at a time, or several beside"),
    "studies.veil": ("", "whether the picture waited for what is judged without it"),
    "studies.overlay": ("", "whether raters saw a metric's regions on the picture"),
    "studies.uniform": ("", "whether all explanations stood in one layout, with rounded numbers"),
    "studies.raters_per_item": ("1 and up", "how many raters an item gets; null: every rater rates every item"),
    "studies.seed": ("0 and up", "of the draw, and of every rater's order"),
    "studies.strata": ("pairs of name and number", "how many items were drawn from each stratum"),
    "studies.created_at": (_UTC, "when it was made"),
    "study_entries.entry": ("", "consent, the questions before and after, how the study ends for raters"),
    "study_courses.state": ("draft, pilot, running, paused, closed, archived", "whether it gave out items"),
    "study_courses.deadline": (_UTC, "from when on nothing was given out"),
    "study_courses.pilot_items": ("1 and up", "how many of the first items a pilot gives out"),
    "study_courses.items_per_rater": ("1 and up", "how many one rater gets; null: as many as there are"),
    "study_courses.controls_included": ("0, 1", "whether items_per_rater counts practice, gold and repeats, too"),
    "study_courses.hold_hours": ("hours", "of inactivity before a rater's unfinished items go to others"),
    "study_criteria.criterion": ("", "the question, by its key in the form"),
    "study_criteria.place": ("0 and up", "in which order they are asked"),
    "study_criteria.lowest": (
        "",
        "the lowest point that may be stored; 0: raters may abstain; -1: they may answer that the picture is missing",
    ),
    "study_criteria.highest": ("", "the highest"),
    "study_forms.key": ("", "the form's name"),
    "study_forms.version": ("1 and up", "of the texts that studies have had under that name"),
    "study_forms.sha256": ("64 hex digits", "SHA-256 of the text"),
    "study_forms.text": ("", "the form, as its file was when the study was made"),
    "study_quality.thresholds": ("", "from where on a rater's figures are flagged; what is missing is as by default"),
    "study_quality.gold_every": ("items", "one gold item in every so many items; null: none"),
    "study_quality.repeat_every": ("items", "one repeat in every so many items; null: none"),
    "visits.came_at": (_UTC, "when the rater first came"),
    "visits.consented_at": (_UTC, "when they consented"),
    "visits.answered_at": (_UTC, "when they had answered the questions before"),
    "visits.screened_out_at": (_UTC, "when these said that the study is not for them"),
    "visits.returned_at": (_UTC, "when they gave the study back"),
    "visits.answered_after_at": (_UTC, "when they had answered the questions after"),
}


@dataclass(frozen=True, slots=True)
class Described:
    """A column of a bundle's tables, in words."""

    table: str
    column: str
    type: str  # as JSON Lines hold it
    range: str  # its unit or range; empty where there is none
    meaning: str


def described_columns() -> Iterator[Described]:
    """Yield every column of a bundle's tables, in the order of the tables."""
    for table in bundled_tables():
        for column in table.columns:
            kind = column.type.python_type.__name__
            yield Described(table.name, column.name, kind, bounds(column), meaning(column))


def meaning(column: Column[Any]) -> str:
    """Return what a column means. Raises KeyError for one that nobody has described."""
    if str(column) in _WORDS:
        return _WORDS[str(column)][1]
    aimed = aim(column)
    if aimed is not None:
        return _RATED if aimed.table.name == "item_scores" else f"one of {aimed}"
    if column.name == "id" and column.type.python_type is int:
        return _NUMBER
    raise KeyError(str(column))


def bounds(column: Column[Any]) -> str:
    """Return a column's unit or range; empty where there is none."""
    said = _WORDS.get(str(column), ("", ""))[0]
    return "; ".join(part for part in (said, "null: none" if column.nullable else "") if part)
