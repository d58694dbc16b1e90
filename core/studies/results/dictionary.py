"""What each column of an export means: for the page "Export columns", for Parquet's metadata, and for bundles."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Meaning:
    """A column in words."""

    type: str  # text, whole number, number, yes or no, time
    range: str  # its unit or range; empty where there is none
    text: str


_TIME = "UTC, to the millisecond"
MEANINGS = {
    "study": Meaning("text", "", "the study's name"),
    "form": Meaning("text", "single, side_by_side", "whether one explanation is shown at a time, or several beside"),
    "item": Meaning("whole number", "1 and up", "the item's place in the order in which the study was drawn"),
    "stratum": Meaning("text", "", "the stratum from which the item was drawn; all where there are none"),
    "sample": Meaning("text", "", "the sample's key in its data set"),
    "image": Meaning("text", "", "the picture, as its source names it"),
    "caption": Meaning("text", "", "the caption that the metric judged"),
    "human": Meaning("number", "0 to 1", "mean human judgement of the caption, rescaled; empty: nobody judged it"),
    "metric": Meaning(
        "text", "", "whose score and explanation were rated; caption, caption 1, caption 2 where captions are"
    ),
    "signature": Meaning("text", "", "how the score was computed: model, revision, prompt, settings"),
    "score": Meaning(
        "number", "the metric's own scale", "the score as raters saw it, unrounded; empty of a caption alone"
    ),
    "rater": Meaning("text", "", "the rater's code"),
    "criterion": Meaning("text", "", "the criterion that was asked, by its key in the form"),
    "rating": Meaning(
        "whole number",
        "points of the criterion's scale",
        "the answer; 0: abstained; -1: not judged, because the picture is missing",
    ),
    "panel_position": Meaning("whole number", "1 and up", "the explanation's place on the rater's page, from the left"),
    "started_at": Meaning("time", _TIME, "when the item was put before the rater"),
    "submitted_at": Meaning("time", _TIME, "when the answer was given"),
    "duration_ms": Meaning("whole number", "ms", "time with the item in sight until the answer"),
    "image_shown_at": Meaning("time", _TIME, "when the veil was lifted from the picture; empty: none, or not lifted"),
    "changed_after_image": Meaning("yes or no", "", "whether the answer was changed after the picture was in sight"),
    "regions_shown": Meaning("yes or no", "", "whether a metric's regions lay over the picture at this answer"),
    "picture_shown": Meaning(
        "yes or no", "", "whether the picture was on the page when the answer was given; empty: not known"
    ),
    "note": Meaning("text", "", "what the rater wrote about the item"),
    "left_out": Meaning("text", "", "why reports leave the answer out; empty: they count it"),
    "role": Meaning(
        "text", "item, training, gold, repeat", "whether the item is the study's own, or why it was put in"
    ),
    "decided": Meaning(
        "whole number", "points of the criterion's scale", "what an adjudicator decided; empty: nothing"
    ),
    "picture_missing": Meaning("yes or no", "", "whether the item's picture was missing, so that raters saw none"),
    "late": Meaning(
        "yes or no", "", "whether the answer reached the server after the study had closed or its deadline had passed"
    ),
}
# The columns of an export of judged sentences.
EVIDENCE_MEANINGS = {
    **{name: MEANINGS[name] for name in ("study", "item", "sample", "image", "caption", "human")},
    "metric": Meaning("text", "", "whose explanation was judged"),
    "signature": MEANINGS["signature"],
    "score": MEANINGS["score"],
    "score_rescaled": Meaning("number", "0 to 1", "the score's place in its metric's scale"),
    "rater": MEANINGS["rater"],
    "aspect": Meaning("text", "", "the aspect of the explanation that the sentence is part of; overall where one text"),
    "sentence": Meaning("whole number", "1 and up", "the sentence's number in the explanation"),
    "sentences": Meaning("whole number", "1 and up", "how many sentences the explanation has"),
    "start": Meaning("whole number", "characters of the aspect's text", "where the sentence begins"),
    "end": Meaning("whole number", "characters, exclusive", "where the sentence ends"),
    "text": Meaning("text", "", "the sentence"),
    "splitter": Meaning("text", "", "what split the explanation into sentences, with its version"),
    "verdict": Meaning("text", "right, wrong, unclear, beside", "what the rater said of the sentence"),
    "words_start": Meaning("whole number", "characters of the sentence", "where the wrong words begin; empty: none"),
    "words_end": Meaning("whole number", "characters, exclusive", "where the wrong words end; empty: none"),
    "kind": Meaning(
        "text", "object, attribute, number, spatial_relation, text, named_entity", "the kind of error; empty: none"
    ),
    "severity": Meaning("text", "minor, major", "how bad the error is; empty: none"),
    "place": Meaning("text", "region, box, nowhere", "where on the picture the error shows; empty: not said"),
    "region": Meaning("whole number", "0 and up", "the marked region's index among those shown; empty: none"),
    "label": Meaning("text", "", "the marked region's label; empty: none"),
    "area": Meaning("number", "0 to 1", "the marked place's share of the picture; empty: none"),
    "box": Meaning("text", "shares of the picture", "left, top, right, bottom of the drawn box; empty: none"),
    "not_given": Meaning(
        "text",
        "words; place; words, place",
        "what the rater went on without saying of a wrong sentence; empty: nothing",
    ),
    "hint_shown": Meaning("yes or no", "", "whether the rater saw hints after the first verdict"),
    "before_hint": Meaning("text", "as verdict", "the verdict before the hint; empty: no hint was shown"),
    "no_fault": Meaning("yes or no", "", "of the whole explanation: right, but not a fault of the caption"),
    "overlooked": Meaning("whole number", "0 and up", "places that the whole explanation overlooks"),
    **{name: MEANINGS[name] for name in ("started_at", "submitted_at", "duration_ms", "left_out")},
    **{name: MEANINGS[name] for name in ("picture_shown", "picture_missing", "late")},
    "decided": Meaning("text", "as verdict", "what an adjudicator decided about the sentence; empty: nothing"),
    "decided_kind": Meaning("text", "as kind", "the kind of error that was decided; empty: none"),
    "decided_severity": Meaning("text", "minor, major", "how bad the decided error is; empty: none"),
}
# Only in an export that asks for them: raters say these things of themselves.
ANSWERS = {
    "answers_before": Meaning("text", "JSON, question: answer", "what the rater answered before the items"),
    "answers_after": Meaning("text", "JSON, question: answer", "what the rater answered after the items"),
}
