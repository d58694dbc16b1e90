"""Meanings of an export's columns, for the page "Export columns" and Parquet's metadata."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of one column."""

    type: str  # type of the values: text, whole number, number, yes or no, time
    range: str  # unit or range of the values; empty if there is none
    words: str
    empty: str = ""  # the meaning of an empty value; "": no value is empty

    @property
    def text(self) -> str:
        """The column's description, with the meaning of an empty value."""
        return f"{self.words}; empty: {self.empty}" if self.empty else self.words


_TIME = "UTC, to the millisecond"
MEANINGS = {
    "study": Meaning("text", "", "the study's name"),
    "form": Meaning("text", "single, side_by_side", "whether the page shows one explanation or several side by side"),
    "item": Meaning("whole number", "1 and up", "the item's position in the study's random order"),
    "stratum": Meaning(
        "text", "", "the group of samples from which the item was chosen; all: a study without such groups"
    ),
    "sample": Meaning("text", "", "the sample's key in its data set"),
    "image": Meaning("text", "", "the picture's name in its source"),
    "caption": Meaning("text", "", "the caption that the metric scored"),
    "human": Meaning("number", "0 to 1", "mean human judgement of the caption, rescaled", "no human judgement"),
    "metric": Meaning("text", "", "the rated metric; if raters rated captions: caption, caption 1 or caption 2"),
    "signature": Meaning("text", "", "how the score was computed: model, revision, prompt, settings"),
    "score": Meaning(
        "number", "the metric's own scale", "the score that raters saw, not rounded", "raters rated captions"
    ),
    "rater": Meaning("text", "", "the rater's code"),
    "criterion": Meaning("text", "", "the criterion's key in the form"),
    "rating": Meaning(
        "whole number",
        "points of the criterion's scale",
        "the rating; 0: the rater cannot judge; -1: the rater did not judge because the picture was missing",
    ),
    "panel_position": Meaning(
        "whole number", "1 and up", "the explanation's position on the rater's page, from the left"
    ),
    "started_at": Meaning("time", _TIME, "when the item was shown to the rater"),
    "submitted_at": Meaning("time", _TIME, "when the rater answered"),
    "duration_ms": Meaning("whole number", "ms", "how long the item was on the screen until the rater answered"),
    "image_shown_at": Meaning("time", _TIME, "when the hidden picture was shown", "never hidden, or not shown"),
    "changed_after_image": Meaning("yes or no", "", "whether the rater changed the answer after the picture was shown"),
    "regions_shown": Meaning(
        "yes or no", "", "whether the page showed a metric's regions over the picture when the rater answered"
    ),
    "picture_shown": Meaning("yes or no", "", "whether the page showed the picture before the answer", "unknown"),
    "note": Meaning("text", "", "what the rater wrote about the item"),
    "left_out": Meaning("text", "", "why reports exclude the answer", "included"),
    "role": Meaning("text", "item, practice, gold", "item: an ordinary item; practice, gold: a control item"),
    "picture_missing": Meaning(
        "yes or no", "", "whether the item's picture was missing, so that raters saw no picture"
    ),
    "late": Meaning(
        "yes or no", "", "whether the answer reached the server after the study had closed or its deadline had passed"
    ),
}
COLUMNS = tuple(MEANINGS)
# These columns are exported only on request, because raters write about themselves in these answers.
ANSWERS = {
    "answers_before": Meaning("text", "JSON, question: answer", "answers to the questions before the first item"),
    "answers_after": Meaning("text", "JSON, question: answer", "answers to the questions after the last item"),
}
