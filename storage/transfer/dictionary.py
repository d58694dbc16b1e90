"""Describe the columns of a study's tables, for readers of a bundle without Capscope.

A column that refers to another table needs no text. Its description names that table.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column

from storage.transfer.bundle import bundled_tables
from storage.transfer.new_numbers import aim

_UTC = "UTC, ISO 8601"
_NUMBER = "the row's number"
_RATED = "the rated score, by scores.id; for a rated caption without a score, the negative of samples.id"
_WORDS: dict[str, tuple[str, str]] = {  # key: table.column; value: (unit or range, meaning)
    "adjudications.criterion": ("", "the question, by its key in the form"),
    "adjudications.lowest": ("", "the lowest allowed point"),
    "adjudications.highest": ("", "the highest allowed point"),
    "adjudications.point": ("a point of the criterion's scale", "the decision; the newest row counts"),
    "adjudications.reason": ("ambiguous, guideline, careless, subjective", "why raters disagreed"),
    "adjudications.words": ("", "the adjudicator's words"),
    "adjudications.adjudicator": ("account 1, account 2 ...", "the account that made the decision"),
    "adjudications.at": (_UTC, "when"),
    "annotations.place": ("0 and up", "the region's position in its source"),
    "annotations.rle": ("", "the region's mask: compressed COCO run-length encoding"),
    "annotations.label": ("", "the region's name in its source"),
    "annotations.is_crowd": ("", "whether the region contains several objects that were not outlined separately"),
    "annotations.width": ("px", "the width of the mask and of the picture"),
    "annotations.height": ("px", "the height of the mask and of the picture"),
    "assignments.id": ("", _NUMBER + ", a random text"),
    "assignments.place": ("1 and up; below 0: given back unfinished", "the item's position in the rater's own order"),
    "assignments.slot": ("0 and up", "a number that balances the order of panels across an item's raters"),
    "assignments.panels": ("numbers of scores", "the explanations in the order of the page"),
    "assignments.given_at": (_UTC, "when the rater got the item; empty in rows older than this column"),
    "assignments.revealed_at": (_UTC, "when the hidden picture was shown"),
    "assignments.finished_at": (_UTC, "when the rater gave the last missing answer"),
    "assignments.released_at": (_UTC, "when the item became available to other raters"),
    "assignments.note": ("", "the rater's note on the item"),
    "check_answers.attempt": ("1, 2", "the attempt at the comprehension check"),
    "check_answers.place": ("0 and up", "position of the question in the check"),
    "check_answers.question": ("", "the question about the task"),
    "check_answers.answer": ("", "the rater's answer"),
    "check_answers.is_right": ("", "whether the answer is right"),
    "check_answers.at": (_UTC, "when"),
    "codebooks.name": ("", "its name"),
    "codebooks.source": ("", "the paper or person that defined the categories"),
    "codebooks.codes": ("pairs of key and label", "the categories, in the order of their digit keys"),
    "codings.metric": ("", "the metric whose error was coded: its name, or its signature if it has several"),
    "codings.codebook": ("", "the codebook's name"),
    "codings.coder": ("", "the coder's name"),
    "codings.code": ("a key of the codebook", "the category"),
    "codings.coded_at": (_UTC, "when"),
    "controls.role": ("training, gold, repeat", "the kind of control item"),
    "controls.turned": ("", "whether scores were shown reversed: low ones as high"),
    "controls.expected": ("points", "criterion -> lowest and highest right answer"),
    "controls.approved_by": ("account 1, account 2 ...", "the account that approved the item"),
    "controls.approved_at": (_UTC, "when"),
    "controls.retired_at": (_UTC, "when the item was retired; it is then not given out and not counted"),
    "datasets.name": ("", "its name"),
    "datasets.notice": ("", "a warning for everyone who sees the data set's scores"),
    "datasets.created_at": (_UTC, "when the data set was first imported"),
    "datasets.changes": ("0 and up", "how often samples or scores of the data set changed"),
    "datasets.hidden": ("", "always empty in a bundle, because a bundle contains only complete data sets"),
    "erasures.at": (_UTC, "when"),
    "erasures.study": ("", "the number of the erased study"),
    "erasures.ratings_kept": ("", "whether the ratings were kept without the name of the rater"),
    "erasures.events_gone": ("0 and up", "how many events were deleted"),
    "erasures.open": ("", "whether the erasure is still unfinished"),
    "events.request_key": (
        "",
        "a key that the browser makes for each save; a second save with the same key changes nothing",
    ),
    "events.at": (_UTC, "when the rater acted"),
    "events.received_at": (_UTC, "when the server stored the event"),
    "events.kind": ("rating, reveal, note, sentence, whole, report", "what the rater did"),
    "events.criterion": ("", "for a rating: the question"),
    "events.old_point": ("a point of the criterion's scale; 0: abstained", "the previous answer"),
    "events.new_point": ("a point of the criterion's scale; 0: abstained", "the answer"),
    "events.text": (
        "",
        "for a note: its text; for a sentence or a whole explanation: the judgement as JSON, with the shown hints",
    ),
    "exclusions.at": (_UTC, "when"),
    "exclusions.failed_gold": ("", "whether the server stopped the rater because of failed gold items"),
    "exclusions.reason": ("", "why the rater's answers are excluded from reports"),
    "explanation_remarks.overlooked": ("", "places on the picture that the explanation does not mention"),
    "explanation_remarks.no_fault": ("", "whether the explanation is true, but irrelevant to the caption's quality"),
    "explanation_remarks.submitted_at": (_UTC, "when"),
    "images.name": ("", "the picture's name in its source"),
    "images.path": (
        "",
        "the picture's path in the bundle, even if the bundle has no pictures; null: the picture was not found",
    ),
    "images.sha256": (
        "64 hex digits",
        "SHA-256 of the picture in the bundle; in a bundle without pictures, of the imported file",
    ),
    "images.width": ("px", "its width"),
    "images.height": ("px", "its height"),
    "images.vocabulary": ("labels", "all labels that the annotators looked for"),
    "item_scores.place": ("0 and up", "position in the order of the chosen metrics; raters see another order"),
    "item_scores.score": ("the metric's own scale", "the shown score, if it differs from the metric's score"),
    "item_scores.caption": ("", "the shown caption, if it differs from the sample's caption"),
    "item_sentences.number": ("1 and up", "the sentence's position in the explanation, counted over all aspects"),
    "item_sentences.aspect": ("", "the aspect of the explanation that contains the sentence"),
    "item_sentences.start": ("characters", "where the sentence begins in the aspect's text, as raters see the text"),
    "item_sentences.end": ("characters", "where the sentence ends, exclusive"),
    "item_sentences.text": ("", "the sentence"),
    "item_sentences.splitter": ("", "name and version of the program that split the text"),
    "item_reports.reason": (
        "broken_picture, offensive, cannot_judge, other",
        "what is wrong with the item",
    ),
    "item_reports.words": ("", "the rater's own words"),
    "item_reports.skipped": ("0, 1", "whether the rater skipped the item"),
    "item_reports.at": (_UTC, "when the rater reported the item"),
    "items.place": ("0 and up", "the item's position in the random order"),
    "items.stratum": ("", "the group of samples from which the item was chosen"),
    "items.chance": (
        "1 to 4294967296",
        "the item's probability of being chosen, times 4294967296; null: equal for all items",
    ),
    "items.takers": (
        "0 and up",
        (
            "number of raters who have the item, if each item goes to a fixed number of raters; without raters of the "
            "pilot"
        ),
    ),
    "items.withdrawn_at": (_UTC, "when the item was withdrawn; no rater gets a withdrawn item; null: not withdrawn"),
    "items.reopened": ("", "whether the item once had all its raters and now has fewer raters"),
    "participations.number": ("0 and up", "position in the order of joining; also the seed of the rater's own order"),
    "participations.seen_at": (_UTC, "when the rater last requested items"),
    "participations.pilot": ("", "whether the rater joined during the pilot"),
    "participations.gold_lifted": (
        "",
        "whether a person cancelled the stop after failed gold items; gold items then no longer stop the rater",
    ),
    "participations.reached": (
        "0 and up",
        "the position in the rater's order where the search for the next item begins",
    ),
    "raters.code": ("", "the rater's code; no other column contains it"),
    "raters.created_at": (_UTC, "when the rater first opened the study"),
    "ratings.criterion": ("", "the question, by its key in the form"),
    "ratings.lowest": ("", "the lowest allowed point"),
    "ratings.highest": ("", "the highest allowed point"),
    "ratings.point": ("a point of the criterion's scale; 0: abstained; -1: no picture", "the current answer"),
    "ratings.started_at": (_UTC, "when the rater first saw the item"),
    "ratings.submitted_at": (_UTC, "when the rater answered"),
    "ratings.duration_ms": ("ms", "time with the item on the screen until the answer"),
    "ratings.regions_shown": ("", "whether a metric's regions were shown on the picture at this answer"),
    "ratings.picture_shown": (
        "",
        "whether the picture was shown before the answer; null: the browser did not report it",
    ),
    "ratings.late": ("", "whether the answer reached the server after the study had closed"),
    "releases.at": (_UTC, "when"),
    "releases.why": (
        "expired, returned, timed_out, by_hand, excluded",
        "why the items became available to other raters",
    ),
    "releases.items": ("1 and up", "how many"),
    "samples.key": ("", "the sample's key in the data set"),
    "samples.candidate": ("", "the caption"),
    "samples.references": ("captions", "captions of the picture that people wrote"),
    "samples.human": ("0 to 1", "mean human judgement, rescaled"),
    "samples.judgements": ("numbers", "each person's judgement"),
    "samples.system": ("1 to 200 characters", "who wrote the caption (the captioner); empty: unknown"),
    "samples.pair": ("", "for one of two captions to compare: key, position, preferred, category"),
    "scores.metric": ("", "its name"),
    "scores.signature": ("", "how the score was computed: model, revision, prompt, settings"),
    "scores.value": ("scale_low to scale_high", "the score; null: missing, and error_kind has the reason"),
    "scores.scale_low": ("", "the lowest possible score"),
    "scores.scale_high": ("", "the highest possible score"),
    "scores.components": (
        "numbers by name",
        "components of the score; “Scores” in the documentation lists the names",
    ),
    "scores.rationales": ("texts by aspect", "the explanation"),
    "scores.phrases": ("", "the caption's phrases with their support; matches with references as objects"),
    "scores.regions": ("", "regions of the picture that the metric used"),
    "scores.cut": ("", "minimum support for counting phrases and regions"),
    "scores.encoder": ("", "the model that compared phrases with regions"),
    "scores.explained": ("", "whether the score has an explanation in words"),
    "scores.error_kind": ("", "why there is no score, as a key"),
    "scores.error_message": ("", "why there is no score, as a sentence"),
    "scores.usage": (
        "tokens",
        "tokens as the model server counted them; null: no server was used, or nothing was stored",
    ),
    "scores.seconds": ("s, by part", "how long scoring took; null: not measured"),
    "sentence_adjudications.number": ("1 and up", "the sentence's position in the explanation"),
    "sentence_adjudications.verdict": ("right, wrong, unclear, beside", "the decision; the newest row counts"),
    "sentence_adjudications.kind": ("object, attribute, number, spatial_relation, text, named_entity", "what is wrong"),
    "sentence_adjudications.severity": ("minor, major", "how severe the error is"),
    "sentence_adjudications.reason": ("ambiguous, guideline, careless, subjective", "why raters disagreed"),
    "sentence_adjudications.words": ("", "the adjudicator's words"),
    "sentence_adjudications.adjudicator": ("account 1, account 2 ...", "the account that decided"),
    "sentence_adjudications.at": (_UTC, "when"),
    "sentence_judgements.number": ("1 and up", "the sentence's position in the explanation"),
    "sentence_judgements.verdict": ("right, wrong, unclear, beside", "the rater's verdict on the sentence"),
    "sentence_judgements.start": (
        "characters of the sentence",
        "where the wrong words begin; null: the whole sentence is wrong",
    ),
    "sentence_judgements.end": ("characters of the sentence", "where the wrong words end, exclusive"),
    "sentence_judgements.kind": ("object, attribute, number, spatial_relation, text, named_entity", "what is wrong"),
    "sentence_judgements.severity": ("minor, major", "how severe the error is"),
    "sentence_judgements.place": ("", "where the error is on the picture"),
    "sentence_judgements.hint_shown": (
        "",
        "whether the rater saw hints about positions of objects after the first answer",
    ),
    "sentence_judgements.started_at": (_UTC, "when the rater first saw the item"),
    "sentence_judgements.submitted_at": (_UTC, "when the rater judged the sentence"),
    "sentence_judgements.duration_ms": ("ms", "time with the item on the screen until the judgement"),
    "sentence_judgements.picture_shown": (
        "",
        "whether the picture was shown before the answer; null: the browser did not report it",
    ),
    "sentence_judgements.late": ("", "whether the answer reached the server after the study had closed"),
    "slices.name": ("", "its name"),
    "slices.conditions": ("", "the conditions that select the slice's samples"),
    "studies.name": ("", "its name"),
    "studies.form": ("single, side_by_side", "whether one explanation is shown at a time, or several side by side"),
    "studies.veil": ("", "whether the picture stayed hidden until the questions about the text alone were answered"),
    "studies.overlay": ("", "whether raters saw a metric's regions on the picture"),
    "studies.uniform": ("", "whether all explanations had the same layout, with rounded numbers"),
    "studies.language": (
        "BCP 47 codes",
        "the language of the pages that raters saw; the form's own texts may have another language",
    ),
    "studies.raters_per_item": ("1 and up", "how many raters rate each item; null: every rater rates every item"),
    "studies.seed": ("0 and up", "seed for choosing the items, and for every rater's order"),
    "studies.strata": ("pairs of name and number", "how many items were chosen from each group of samples"),
    "studies.created_at": (_UTC, "when the study was created"),
    "study_entries.entry": (
        "",
        "consent text, questions before and after the items, and the text at the end of the study",
    ),
    "study_courses.state": (
        "draft, pilot, running, paused, closed, archived",
        "the study's state; only a pilot and a running study give out items",
    ),
    "study_courses.deadline": (_UTC, "when the study stopped giving out items"),
    "study_courses.pilot_items": ("1 and up", "how many of the first items a pilot gives out"),
    "study_courses.items_per_rater": ("1 and up", "maximum number of items for one rater; null: no limit"),
    "study_courses.controls_included": (
        "0, 1",
        "whether items_per_rater also counts practice, gold and repeated items",
    ),
    "study_courses.currency": ("code of ISO 4217", "currency of the pay; null: no pay was stated"),
    "study_courses.hourly_rate": ("1 and up", "pay for an hour of work, in the currency's minor units"),
    "study_courses.reward": ("1 and up", "what the platform pays each approved rater, in minor units"),
    "study_courses.contact": ("", "whom raters can ask; empty: no contact"),
    "study_courses.hold_hours": ("hours", "time without activity before a rater's unfinished items go to others"),
    "study_criteria.criterion": ("", "the question, by its key in the form"),
    "study_criteria.place": ("0 and up", "position of the question in the form"),
    "study_criteria.lowest": (
        "",
        (
            "the lowest allowed point; 0: raters may answer “cannot judge”; -1: raters may also answer that the "
            "picture is missing"
        ),
    ),
    "study_criteria.highest": ("", "the highest allowed point"),
    "study_forms.key": ("", "the form's name"),
    "study_forms.version": ("1 and up", "number of this version of the form's text"),
    "study_forms.sha256": ("64 hex digits", "SHA-256 of the text"),
    "study_forms.text": ("", "the form's file when the study was created"),
    "study_quality.thresholds": ("", "thresholds for flagging a rater; missing keys have default values"),
    "study_quality.gold_every": ("items", "interval between gold items; null: no gold items"),
    "study_quality.repeat_every": ("items", "interval between repeated items; null: no repeated items"),
    "study_quality.stop_after_gold": (
        "items",
        "number of failed gold items after which a rater is stopped; null: never",
    ),
    "visits.came_at": (_UTC, "when the rater first opened the study"),
    "visits.consented_at": (_UTC, "when the rater consented"),
    "visits.answered_at": (_UTC, "when the rater answered the questions before the items"),
    "visits.screened_out_at": (_UTC, "when the rater's answers showed that the rater does not fit the study"),
    "visits.returned_at": (_UTC, "when the rater left the study"),
    "visits.check_passed_at": (_UTC, "when every answer of one attempt at the comprehension check was right"),
    "visits.check_failed_at": (_UTC, "when the last attempt at the comprehension check had a wrong answer"),
    "visits.answered_after_at": (_UTC, "when the rater answered the questions after the items"),
}


@dataclass(frozen=True, slots=True)
class Described:
    """The description of a column of a bundle's tables."""

    table: str
    column: str
    type: str  # its type in JSON Lines
    range: str  # its unit or range; empty: none
    meaning: str


def described_columns() -> Iterator[Described]:
    """Describe every column of a bundle's tables, in the order of the tables."""
    for table in bundled_tables():
        for column in table.columns:
            kind = column.type.python_type.__name__
            yield Described(table.name, column.name, kind, bounds(column), meaning(column))


def meaning(column: Column[Any]) -> str:
    """Return the meaning of a column. Raises KeyError for a column without a description."""
    if str(column) in _WORDS:
        return _WORDS[str(column)][1]
    aimed = aim(column)
    if aimed is not None:
        return _RATED if aimed.table.name == "item_scores" else f"one of {aimed}"
    if column.name == "id" and column.type.python_type is int:
        return _NUMBER
    raise KeyError(str(column))


def bounds(column: Column[Any]) -> str:
    """Return a column's unit or range; empty if it has none."""
    range_ = _WORDS.get(str(column), ("", ""))[0]
    return "; ".join(part for part in (range_, "null: none" if column.nullable else "") if part)
