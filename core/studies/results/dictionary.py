"""Meanings of an export's columns, for the page "Export columns", Parquet's metadata and bundles."""

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
    "role": Meaning(
        "text", "item, training, gold, repeat", "item: an ordinary item; training, gold, repeat: a control item"
    ),
    "decided": Meaning("whole number", "points of the criterion's scale", "the adjudicator's decision", "no decision"),
    "picture_missing": Meaning(
        "yes or no", "", "whether the item's picture was missing, so that raters saw no picture"
    ),
    "late": Meaning(
        "yes or no", "", "whether the answer reached the server after the study had closed or its deadline had passed"
    ),
    "chance": Meaning(
        "number", "above 0 to 1", "the item's chance of being drawn; weight by 1 / chance", "equal for all items"
    ),
}
# Key: column of an export of judged sentences. Value: what the column contains.
EVIDENCE_MEANINGS = {
    **{name: MEANINGS[name] for name in ("study", "item", "sample", "image", "caption", "human")},
    "metric": Meaning("text", "", "the metric whose explanation was judged"),
    "signature": MEANINGS["signature"],
    "score": MEANINGS["score"],
    "score_rescaled": Meaning("number", "0 to 1", "the score rescaled from its metric's scale to 0–1"),
    "rater": MEANINGS["rater"],
    "aspect": Meaning(
        "text", "", "the explanation's aspect that contains the sentence; overall: an explanation without aspects"
    ),
    "sentence": Meaning("whole number", "1 and up", "the sentence's number in the explanation"),
    "sentences": Meaning("whole number", "1 and up", "how many sentences the explanation has"),
    "start": Meaning("whole number", "characters of the aspect's text", "where the sentence begins"),
    "end": Meaning("whole number", "characters, exclusive", "where the sentence ends"),
    "text": Meaning("text", "", "the sentence"),
    "splitter": Meaning("text", "", "the rules that split the explanation into sentences, with their version"),
    "verdict": Meaning(
        "text", "right, wrong, unclear, beside (not about the picture)", "the rater's verdict on the sentence"
    ),
    "words_start": Meaning(
        "whole number", "position in the sentence, in characters", "where the wrong words begin", "no words marked"
    ),
    "words_end": Meaning("whole number", "characters, exclusive", "where the wrong words end", "no words marked"),
    "kind": Meaning(
        "text", "object, attribute, number, spatial_relation, text, named_entity", "the kind of error", "no error"
    ),
    "severity": Meaning("text", "minor, major", "how bad the error is", "no error"),
    "place": Meaning("text", "region, box, nowhere", "how the rater marked the error on the picture", "not marked"),
    "region": Meaning(
        "whole number", "0 and up", "the marked region's index among the shown regions", "no region marked"
    ),
    "label": Meaning("text", "", "the marked region's label", "no region marked"),
    "area": Meaning("number", "0 to 1", "the marked area's share of the picture", "no area marked"),
    "box": Meaning(
        "text", "shares of width or height", "left, top, right, bottom of the box that the rater drew", "no box"
    ),
    "not_given": Meaning(
        "text", "words; place; words, place", "details that the rater skipped for a wrong sentence", "nothing skipped"
    ),
    "hint_shown": Meaning("yes or no", "", "whether the rater saw hints after the first verdict on the sentence"),
    "before_hint": Meaning("text", "as verdict", "the verdict before the hint", "no hint was shown"),
    "no_fault": Meaning(
        "yes or no", "", "whether the rater called the whole explanation true, but irrelevant to the caption's quality"
    ),
    "overlooked": Meaning(
        "whole number", "0 and up", "number of places on the picture that the whole explanation does not mention"
    ),
    **{name: MEANINGS[name] for name in ("started_at", "submitted_at", "duration_ms", "left_out")},
    **{name: MEANINGS[name] for name in ("picture_shown", "picture_missing", "late")},
    "decided": Meaning("text", "as verdict", "the adjudicator's verdict on the sentence", "no decision"),
    "decided_kind": Meaning("text", "as kind", "the kind of error that the adjudicator chose", "no decision"),
    "decided_severity": Meaning("text", "minor, major", "the severity that the adjudicator chose", "no decision"),
}
# These columns are exported only on request, because raters write about themselves in these answers.
ANSWERS = {
    "answers_before": Meaning("text", "JSON, question: answer", "answers to the questions before the first item"),
    "answers_after": Meaning("text", "JSON, question: answer", "answers to the questions after the last item"),
}
