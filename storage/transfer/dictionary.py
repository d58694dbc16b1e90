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
_RATED = "what was rated: a number of scores.id; for a caption without a score, minus a number of samples.id"
_WORDS: dict[str, tuple[str, str]] = {  # key: table.column; value: (unit or range, meaning)
    "adjudications.criterion": ("", "the question, by its key in the form"),
    "adjudications.lowest": ("", "the lowest allowed point"),
    "adjudications.highest": ("", "the highest allowed point"),
    "adjudications.point": ("a point of the criterion's scale", "the decision; the newest row counts"),
    "adjudications.reason": ("ambiguous, guideline, careless, subjective", "why raters disagreed"),
    "adjudications.words": ("", "the adjudicator's words"),
    "adjudications.adjudicator": ("account 1, account 2 ...", "the account that decided"),
    "adjudications.at": (_UTC, "when"),
    "annotations.place": ("0 and up", "the region's place in its source"),
    "annotations.rle": ("", "the region's mask: compressed COCO run-length encoding"),
    "annotations.label": ("", "the region's name in its source"),
    "annotations.is_crowd": ("", "whether the region holds several objects without borders between them"),
    "annotations.width": ("px", "the width of the mask and of the picture"),
    "annotations.height": ("px", "the height of the mask and of the picture"),
    "assignments.id": ("", _NUMBER + ", a random text"),
    "assignments.place": ("1 and up; below 0: given back unfinished", "the item's position in the rater's own order"),
    "assignments.slot": ("0 and up", "a number that balances the order of panels across an item's raters"),
    "assignments.panels": ("numbers of scores", "the explanations in the order of the page"),
    "assignments.given_at": (_UTC, "when the rater got the item; empty in rows older than this column"),
    "assignments.revealed_at": (_UTC, "when the hidden picture was shown"),
    "assignments.finished_at": (_UTC, "when the last missing answer was given"),
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
    "datasets.notice": ("", "a warning for everyone who sees its scores"),
    "datasets.created_at": (_UTC, "when it was first imported"),
    "datasets.changes": ("0 and up", "how often its samples and scores changed"),
    "datasets.hidden": ("", "always empty in a bundle: the data set is complete"),
    "erasures.at": (_UTC, "when"),
    "erasures.study": ("", "the number that an erased study had"),
    "erasures.ratings_kept": ("", "whether the ratings were kept, without the rater"),
    "erasures.events_gone": ("0 and up", "how many events were deleted"),
    "erasures.open": ("", "whether the erasure was not finished yet"),
    "events.request_key": ("", "made by the browser for each save; a repeated key changes nothing"),
    "events.at": (_UTC, "when the rater acted"),
    "events.received_at": (_UTC, "when the server stored it"),
    "events.kind": ("rating, reveal, note, sentence, whole, report", "what the rater did"),
    "events.criterion": ("", "of a rating: the question"),
    "events.old_point": ("a point of the criterion's scale; 0: abstained", "the previous answer"),
    "events.new_point": ("a point of the criterion's scale; 0: abstained", "the answer"),
    "events.text": (
        "",
        "of a note: its text; of a sentence or a whole explanation: the judgement as JSON, with the hints that were "
        "shown",
    ),
    "exclusions.at": (_UTC, "when"),
    "exclusions.failed_gold": ("", "whether the server stopped the rater because of failed gold items"),
    "exclusions.reason": ("", "why the rater's answers are excluded from reports"),
    "explanation_remarks.overlooked": ("", "places on the picture that the explanation does not mention"),
    "explanation_remarks.no_fault": ("", "whether its statement is true, but describes no fault of the caption"),
    "explanation_remarks.submitted_at": (_UTC, "when"),
    "images.name": ("", "the picture's name in its source"),
    "images.path": ("", "its path in the bundle, even if the bundle has no pictures; null: it was not found"),
    "images.sha256": (
        "64 hex digits",
        "SHA-256 of the file in the bundle; without pictures, of the imported file",
    ),
    "images.width": ("px", "its width"),
    "images.height": ("px", "its height"),
    "images.vocabulary": ("labels", "all labels that the annotators looked for"),
    "item_scores.place": ("0 and up", "in the order of the chosen metrics; raters see another order"),
    "item_scores.score": ("the metric's own scale", "the score as shown, if it differs from the metric's"),
    "item_scores.caption": ("", "the caption as shown, if it differs from the sample's"),
    "item_sentences.number": ("1 and up", "the sentence's place in the explanation, over all aspects"),
    "item_sentences.aspect": ("", "the aspect of the explanation that has the sentence"),
    "item_sentences.start": ("characters", "where it begins in the aspect's text, as raters see it"),
    "item_sentences.end": ("characters", "where it ends, exclusive"),
    "item_sentences.text": ("", "the sentence"),
    "item_sentences.splitter": ("", "name and version of the program that split the text"),
    "item_reports.reason": (
        "broken_picture, offensive, cannot_judge, other",
        "what is wrong with the item",
    ),
    "item_reports.words": ("", "the rater's own words"),
    "item_reports.skipped": ("0, 1", "whether the rater skipped the item"),
    "item_reports.at": (_UTC, "when the rater reported it"),
    "items.place": ("0 and up", "the item's place in the drawn order"),
    "items.stratum": ("", "the stratum from which the item was drawn"),
    "items.chance": ("1 to 4294967296", "its chance of being drawn, times 4294967296; null: equal for all items"),
    "items.takers": ("0 and up", "raters who hold the item if raters share items; pilots not counted"),
    "items.withdrawn_at": (_UTC, "when it was withdrawn: nobody got it any more; null: it was not"),
    "items.reopened": ("", "whether the item once had all its raters and now has fewer"),
    "participations.number": ("0 and up", "in the order of joining; the seed of the rater's own order"),
    "participations.seen_at": (_UTC, "when the rater last asked for items"),
    "participations.pilot": ("", "whether the rater joined during the pilot"),
    "participations.gold_lifted": ("", "whether a person lifted such a stop; gold items then stop the rater no more"),
    "participations.reached": ("0 and up", "the place in the rater's order where the search for the next item begins"),
    "raters.code": ("", "the rater's code, which no other column has"),
    "raters.created_at": (_UTC, "when the rater first came"),
    "ratings.criterion": ("", "the question, by its key in the form"),
    "ratings.lowest": ("", "the lowest allowed point"),
    "ratings.highest": ("", "the highest allowed point"),
    "ratings.point": ("a point of the criterion's scale; 0: abstained; -1: no picture", "the current answer"),
    "ratings.started_at": (_UTC, "when the rater first saw the item"),
    "ratings.submitted_at": (_UTC, "when the answer was given"),
    "ratings.duration_ms": ("ms", "time with the item in view until the answer"),
    "ratings.regions_shown": ("", "whether a metric's regions were shown on the picture at this answer"),
    "ratings.picture_shown": (
        "",
        "whether the picture was shown before the answer; null: the browser did not report it",
    ),
    "ratings.late": ("", "whether the answer reached the server after the study had closed"),
    "releases.at": (_UTC, "when"),
    "releases.why": ("expired, returned, timed_out, by_hand, excluded", "why the items were taken back"),
    "releases.items": ("1 and up", "how many"),
    "samples.key": ("", "its key in the data set"),
    "samples.candidate": ("", "the caption"),
    "samples.references": ("captions", "captions of the picture by people"),
    "samples.human": ("0 to 1", "mean human judgement, rescaled"),
    "samples.judgements": ("numbers", "each person's judgement"),
    "samples.system": ("1 to 200 characters", "who wrote the caption: the captioner; empty: unknown"),
    "samples.pair": ("", "for one of two captions to choose between: key, position, preferred, category"),
    "scores.metric": ("", "its name"),
    "scores.signature": ("", "how the score was computed: model, revision, prompt, settings"),
    "scores.value": ("scale_low to scale_high", "the score; null: missing, error_kind has the reason"),
    "scores.scale_low": ("", "the lowest possible score"),
    "scores.scale_high": ("", "the highest allowed point"),
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
    "scores.error_kind": ("", "why there is no score, in one word"),
    "scores.error_message": ("", "why there is no score"),
    "scores.usage": ("tokens", "as the model server counted them; null: no server answered, or nothing was stored"),
    "scores.seconds": ("s, by part", "how long it took; null: not measured"),
    "sentence_adjudications.number": ("1 and up", "the sentence's place in the explanation"),
    "sentence_adjudications.verdict": ("right, wrong, unclear, beside", "the decision; the newest row counts"),
    "sentence_adjudications.kind": ("object, attribute, number, spatial_relation, text, named_entity", "what is wrong"),
    "sentence_adjudications.severity": ("minor, major", "how severe the error is"),
    "sentence_adjudications.reason": ("ambiguous, guideline, careless, subjective", "why raters disagreed"),
    "sentence_adjudications.words": ("", "the adjudicator's words"),
    "sentence_adjudications.adjudicator": ("account 1, account 2 ...", "the account that decided"),
    "sentence_adjudications.at": (_UTC, "when"),
    "sentence_judgements.number": ("1 and up", "the sentence's place in the explanation"),
    "sentence_judgements.verdict": ("right, wrong, unclear, beside", "the rater's verdict on the sentence"),
    "sentence_judgements.start": (
        "characters of the sentence",
        "where the wrong words begin; null: the whole sentence is wrong",
    ),
    "sentence_judgements.end": ("characters of the sentence", "where they end, exclusive"),
    "sentence_judgements.kind": ("object, attribute, number, spatial_relation, text, named_entity", "what is wrong"),
    "sentence_judgements.severity": ("minor, major", "how severe the error is"),
    "sentence_judgements.place": ("", "where the error is on the picture"),
    "sentence_judgements.hint_shown": (
        "",
        "whether the rater saw hints about places of objects after the first answer",
    ),
    "sentence_judgements.started_at": (_UTC, "when the rater first saw the item"),
    "sentence_judgements.submitted_at": (_UTC, "when the judgement was given"),
    "sentence_judgements.duration_ms": ("ms", "time with the item in view until the judgement"),
    "sentence_judgements.picture_shown": (
        "",
        "whether the picture was shown before the answer; null: the browser did not report it",
    ),
    "sentence_judgements.late": ("", "whether the answer reached the server after the study had closed"),
    "slices.name": ("", "its name"),
    "slices.conditions": ("", "the conditions that select its samples"),
    "studies.name": ("", "its name"),
    "studies.form": ("single, side_by_side", "whether one explanation is shown at a time, or several side by side"),
    "studies.veil": ("", "whether the picture stayed hidden until the questions without picture were answered"),
    "studies.overlay": ("", "whether raters saw a metric's regions on the picture"),
    "studies.uniform": ("", "whether all explanations had the same layout, with rounded numbers"),
    "studies.language": ("BCP 47 codes", "the language of the pages that raters saw, without the form's own texts"),
    "studies.raters_per_item": ("1 and up", "how many raters an item gets; null: every rater rates every item"),
    "studies.seed": ("0 and up", "seed of the draw, and of every rater's order"),
    "studies.strata": ("pairs of name and number", "how many items were drawn from each stratum"),
    "studies.created_at": (_UTC, "when it was made"),
    "study_entries.entry": (
        "",
        "consent text, questions before and after the items, and the end of the study for raters",
    ),
    "study_courses.state": ("draft, pilot, running, paused, closed, archived", "whether it gave out items"),
    "study_courses.deadline": (_UTC, "when the study stopped giving out items"),
    "study_courses.pilot_items": ("1 and up", "how many of the first items a pilot gives out"),
    "study_courses.items_per_rater": ("1 and up", "most items for one rater; null: no limit"),
    "study_courses.controls_included": ("0, 1", "whether items_per_rater counts practice, gold and repeats, too"),
    "study_courses.currency": ("code of ISO 4217", "currency of the pay; null: no pay was stated"),
    "study_courses.hourly_rate": ("1 and up", "pay for an hour of work, in the currency's minor units"),
    "study_courses.reward": ("1 and up", "what the platform pays each approved rater, in minor units"),
    "study_courses.contact": ("", "whom raters could ask; empty: nobody was named"),
    "study_courses.hold_hours": ("hours", "time without activity before a rater's unfinished items go to others"),
    "study_criteria.criterion": ("", "the question, by its key in the form"),
    "study_criteria.place": ("0 and up", "position of the question in the form"),
    "study_criteria.lowest": (
        "",
        "the lowest allowed point; 0: raters may abstain; -1: raters may also answer that the picture is missing",
    ),
    "study_criteria.highest": ("", "the highest allowed point"),
    "study_forms.key": ("", "the form's name"),
    "study_forms.version": ("1 and up", "number of the text, among the texts that studies had under that name"),
    "study_forms.sha256": ("64 hex digits", "SHA-256 of the text"),
    "study_forms.text": ("", "the form's file at the time of making the study"),
    "study_quality.thresholds": ("", "thresholds for flagging a rater's figures; missing keys have default values"),
    "study_quality.gold_every": ("items", "interval between gold items; null: no gold items"),
    "study_quality.repeat_every": ("items", "interval between repeats; null: no repeats"),
    "study_quality.stop_after_gold": ("items", "failed gold items after which a rater is stopped; null: never"),
    "visits.came_at": (_UTC, "when the rater first came"),
    "visits.consented_at": (_UTC, "when the rater consented"),
    "visits.answered_at": (_UTC, "when the rater answered the questions before the items"),
    "visits.screened_out_at": (_UTC, "when the answers showed that the study is not for the rater"),
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
