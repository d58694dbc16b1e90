"""Describe the columns of a study's tables, for people who read a bundle without Capscope.

A column that refers to another table has no text here. Its description is made from that table's name.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Column

from core.studies.results.check_export import CHECK_MEANINGS
from core.studies.results.dictionary import MEANINGS, Meaning
from storage.transfer.bundle import bundled_tables
from storage.transfer.new_numbers import aim

_NUMBER = "the row's number"
_RATED = "the rated score, by scores.id; for a rated caption without a score, the negative of samples.id"
_WORDS: dict[str, tuple[str, str]] = {  # key: table.column, or only a column's name; value: (unit or range, meaning)
    "at": ("", "when"),
    "criterion": ("", "the question, by its key in the form"),
    "highest": ("", "the highest allowed point"),
    "lowest": ("", "the lowest allowed point"),
    "name": ("", "its name"),
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
    "assignments.given_at": ("", "when the rater got the item; empty in rows older than this column"),
    "assignments.finished_at": ("", "when the rater gave the last missing answer"),
    "assignments.released_at": ("", "when the item became available to other raters"),
    "check_answers.place": ("0 and up", "position of the question in the check"),
    "codebooks.source": ("", "the paper or person that defined the categories"),
    "codebooks.codes": ("pairs of key and label", "the categories, in the order of their digit keys"),
    "codings.metric": ("", "the metric whose error was coded: its name, or its signature if it has several signatures"),
    "codings.codebook": ("", "the codebook's name"),
    "codings.coder": ("", "the coder's name"),
    "codings.code": ("a key of the codebook", "the category"),
    "codings.coded_at": ("", "when"),
    "controls.role": ("training, gold, repeat", "the kind of control item"),
    "controls.turned": ("", "whether scores were shown reversed, so that low scores looked high"),
    "controls.expected": ("points", "criterion -> lowest and highest right answer"),
    "controls.approved_by": ("account 1, account 2 ...", "the account that approved the item"),
    "controls.approved_at": ("", "when"),
    "controls.retired_at": ("", "when the item was retired; it is then not given out and not counted"),
    "datasets.notice": ("", "a warning for everyone who sees the data set's scores"),
    "datasets.created_at": ("", "when the data set was first imported"),
    "datasets.changes": ("0 and up", "how often samples or scores of the data set changed"),
    "datasets.benchmark": ("flickr8k-expert ...", "the benchmark whose files the data set was imported from, or empty"),
    "datasets.hidden": ("", "always empty in a bundle, because a bundle contains only complete data sets"),
    "erasures.study": ("", "the number of the erased study"),
    "erasures.ratings_kept": ("", "whether the ratings were kept without the name of the rater"),
    "erasures.events_gone": ("0 and up", "how many events were deleted"),
    "erasures.open": ("", "whether the erasure is still unfinished"),
    "events.request_key": (
        "",
        "a key that the browser makes for each action; a second action with the same key changes nothing",
    ),
    "events.at": ("", "when the rater acted"),
    "events.received_at": ("", "when the server stored the event"),
    "events.kind": ("rating, reveal, note, report", "what the rater did"),
    "events.criterion": ("", "for a rating: the question"),
    "events.old_point": ("a point of the criterion's scale; 0: abstained", "the previous answer"),
    "events.new_point": ("a point of the criterion's scale; 0: abstained", "the answer"),
    "events.text": (
        "",
        "for a note: its text; for a report: the report as JSON, with the time for which the item was in view (ms)",
    ),
    "exclusions.failed_gold": ("", "whether the server stopped the rater because of failed gold items"),
    "exclusions.reason": ("", "why the rater's answers are excluded from reports"),
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
    "item_reports.reason": ("broken_picture, offensive, cannot_judge, other", "what is wrong with the item"),
    "item_reports.words": ("", "the rater's own words"),
    "item_reports.skipped": ("0, 1", "whether the rater skipped the item"),
    "items.place": ("0 and up", "the item's position in the random order"),
    "items.takers": (
        "0 and up",
        (
            "number of raters who have the item, if each item goes to a fixed number of raters; raters of the pilot do "
            "not count"
        ),
    ),
    "items.withdrawn_at": ("", "when the item was withdrawn; no rater gets a withdrawn item; null: not withdrawn"),
    "items.reopened": ("", "whether the item once had all its raters and now has fewer raters"),
    "participations.number": ("0 and up", "position in the order of joining; also the seed of the rater's own order"),
    "participations.seen_at": ("", "when the rater last requested items"),
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
    "raters.created_at": ("", "when the rater first opened the study"),
    "releases.why": (
        "expired, returned, timed_out, by_hand, excluded",
        "why the items became available to other raters",
    ),
    "releases.items": ("1 and up", "how many"),
    "samples.candidate": ("", "the caption"),
    "samples.references": ("captions", "captions of the picture that people wrote"),
    "samples.judgements": ("numbers", "each person's judgement"),
    "samples.system": ("1 to 200 characters", "who wrote the caption (the captioner); empty: unknown"),
    "samples.own": ("names and texts", "further columns of the researcher's own table, stored at the import"),
    "samples.pair": ("", "for one caption of a compared pair: the pair's key, position, preferred position, category"),
    "scores.metric": ("", "its name"),
    "scores.value": ("scale_low to scale_high", "the score; null: missing, and error_kind has the reason"),
    "scores.scale_low": ("", "the lowest possible score"),
    "scores.scale_high": ("", "the highest possible score"),
    "scores.components": ("numbers by name", "components of the score; “Scores” in the documentation lists the names"),
    "scores.rationales": ("texts by aspect", "the explanation"),
    "scores.phrases": ("", "JSON list: the caption's phrases with their support; JSON object: matches with references"),
    "scores.regions": ("", "regions of the picture that the metric used"),
    "scores.cut": ("", "minimum support for counting phrases and regions"),
    "scores.encoder": ("", "the model that compared phrases with regions"),
    "scores.explained": ("", "whether the score has an explanation in words"),
    "scores.error_kind": ("", "short code for the reason why there is no score, such as missing_dataset"),
    "scores.error_message": ("", "sentence with the reason why there is no score"),
    "scores.usage": (
        "tokens",
        "tokens as the model server counted them; null: no server was used, or nothing was stored",
    ),
    "scores.seconds": ("s, by part", "how long scoring took; null: not measured"),
    "slices.conditions": ("", "the conditions that select the slice's samples"),
    "studies.veil": ("", "whether the picture stayed hidden until the questions that need only the text were answered"),
    "studies.overlay": ("", "whether raters saw a metric's regions on the picture"),
    "studies.uniform": ("", "whether all explanations had the same layout, with rounded numbers"),
    "studies.raters_per_item": ("1 and up", "how many raters rate each item; null: every rater rates every item"),
    "studies.seed": ("0 and up", "seed for choosing the items, and for every rater's order"),
    "studies.strata": ("pairs of name and number", "how many items were chosen from each group of samples"),
    "studies.created_at": ("", "when the study was created"),
    "study_entries.entry": (
        "",
        "consent text, questions before and after the items, and the text at the end of the study",
    ),
    "study_courses.state": (
        "draft, pilot, running, paused, closed, archived",
        "the study's state; only a pilot and a running study give out items",
    ),
    "study_courses.deadline": ("", "when the study stopped giving out items"),
    "study_courses.pilot_items": ("1 and up", "how many of the first items a pilot gives out"),
    "study_courses.items_per_rater": ("1 and up", "maximum number of items for one rater; null: no limit"),
    "study_courses.controls_included": (
        "0, 1",
        "whether items_per_rater also counts practice, gold and repeated items",
    ),
    "study_courses.contact": ("", "whom raters can ask; empty: no contact"),
    "study_courses.new_raters": ("0, 1", "whether new raters got items"),
    "study_courses.hold_hours": ("hours", "time without activity before a rater's unfinished items go to others"),
    "study_criteria.place": ("0 and up", "position of the question in the form"),
    "study_criteria.lowest": (
        "",
        (
            "the lowest allowed point; 0: raters may answer “cannot judge”; -1: raters may also answer that the "
            "picture is missing"
        ),
    ),
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
    "visits.came_at": ("", "when the rater first opened the study"),
    "visits.consented_at": ("", "when the rater consented"),
    "visits.answered_at": ("", "when the rater answered the questions before the items"),
    "visits.screened_out_at": ("", "when the rater's answers showed that the rater does not fit the study"),
    "visits.returned_at": ("", "when the rater left the study"),
    "visits.check_passed_at": ("", "when every answer of one attempt at the comprehension check was right"),
    "visits.check_failed_at": ("", "when the last attempt at the comprehension check had a wrong answer"),
    "visits.answered_after_at": ("", "when the rater answered the questions after the items"),
}
_EXPORTED = MEANINGS | CHECK_MEANINGS
_SAME = {name: name for name in ("signature", "human", "stratum", "form")}
_SAME |= {
    name: name for name in ("started_at", "submitted_at", "duration_ms", "regions_shown", "picture_shown", "late")
}
_SAME |= {name: name for name in ("attempt", "question", "answer")}
_SAME |= {  # key: table.column, or only a column's name; value: the export's column with the same meaning
    "is_right": "right",
    "assignments.note": "note",
    "assignments.revealed_at": "image_shown_at",
    "images.name": "image",
    "ratings.point": "rating",
    "samples.key": "sample",
}
_TYPES = {str: "text", int: "whole number", float: "number", bool: "yes or no", datetime: "time"}


@dataclass(frozen=True, slots=True)
class Described:
    """The description of a column of a bundle's tables."""

    table: str
    column: str
    meaning: Meaning


def described_columns() -> Iterator[Described]:
    """Describe every column of a bundle's tables, in the order of the tables."""
    for table in bundled_tables():
        for column in table.columns:
            yield Described(table.name, column.name, meaning(column))


def meaning(column: Column[Any]) -> Meaning:
    """Return the type, the range and the meaning of a column.

    The range also says what null means. Raises KeyError for an unknown column.
    """
    of_type = column.type.python_type
    bounds, words, empty = _words(column)
    bounds = "UTC, ISO 8601" if of_type is datetime else bounds
    null = f"null: {empty or 'none'}" if column.nullable and "null: " not in words else ""
    return Meaning(_TYPES.get(of_type, of_type.__name__), "; ".join(filter(None, (bounds, null))), words)


def _words(column: Column[Any]) -> tuple[str, str, str]:
    """Return a column's unit or range, its meaning, and what null means."""
    for name in (str(column), column.name):
        if name in _WORDS:
            return (*_WORDS[name], "")
        if name in _SAME:
            same = _EXPORTED[_SAME[name]]
            return same.range, same.words, same.empty
    aimed = aim(column)
    if aimed is not None:
        return "", _RATED if aimed.table.name == "item_scores" else f"one of {aimed}", ""
    if column.name == "id" and column.type.python_type is int:
        return "", _NUMBER, ""
    raise KeyError(str(column))
