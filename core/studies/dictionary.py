"""What each column of an export means: for docs/formats.md, for Parquet's metadata, and for bundles."""

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
    "rating": Meaning("whole number", "points of the criterion's scale", "the answer; 0: abstained"),
    "panel_position": Meaning("whole number", "1 and up", "the explanation's place on the rater's page, from the left"),
    "started_at": Meaning("time", _TIME, "when the item was put before the rater"),
    "submitted_at": Meaning("time", _TIME, "when the answer was given"),
    "duration_ms": Meaning("whole number", "ms", "time with the item in sight until the answer"),
    "image_shown_at": Meaning("time", _TIME, "when the veil was lifted from the picture; empty: none, or not lifted"),
    "changed_after_image": Meaning("yes or no", "", "whether the answer was changed after the picture was in sight"),
    "regions_shown": Meaning("yes or no", "", "whether a metric's regions lay over the picture at this answer"),
    "note": Meaning("text", "", "what the rater wrote about the item"),
    "left_out": Meaning("text", "", "why reports leave the answer out; empty: they count it"),
    "role": Meaning(
        "text", "item, training, gold, repeat", "whether the item is the study's own, or why it was put in"
    ),
    "decided": Meaning(
        "whole number", "points of the criterion's scale", "what an adjudicator decided; empty: nothing"
    ),
}
# Only in an export that asks for them: raters say these things of themselves.
ANSWERS = {
    "answers_before": Meaning("text", "JSON, question: answer", "what the rater answered before the items"),
    "answers_after": Meaning("text", "JSON, question: answer", "what the rater answered after the items"),
}
