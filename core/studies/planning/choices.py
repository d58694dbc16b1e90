"""List the items about which raters can be asked: explained scores, or captions of samples.

The module also determines the stratum (group) of each item.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.studies.asking.form import Form
from core.studies.design import StudyDesign

SCORE_INTERVALS = ((0.0, 0.33), (0.33, 0.66), (0.66, 1.0))  # only the last interval includes its right end
SCORE_STRATA = ("[0, 0.33)", "[0.33, 0.66)", "[0.66, 1]")


@dataclass(frozen=True, slots=True)
class ExplainedScore:
    """A score with an explanation, with the fields that are needed to draw items."""

    id: int
    metric: str
    position: float  # position of the score in its metric's scale, [0, 1]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sample that could become an item of the study."""

    sample: int
    judgements: tuple[float, ...]  # individual human judgements, on the scale of the data set's source
    scores: tuple[ExplainedScore, ...]
    regions_by: tuple[str, ...] = ()  # metrics whose explanations of this sample are regions of the picture
    has_picture: bool = True  # whether the picture was found
    image: int | None = None  # number that samples with the same picture share; None: no other sample has this picture


@dataclass(frozen=True, slots=True)
class Choice:
    """What could be drawn: a caption with all its items, so that metrics can be compared, or a pair of captions."""

    candidate: Candidate
    items: tuple[tuple[int, ...], ...]  # each as PlannedItem.scores
    position: float = 0.0  # position of the first score in its scale, [0, 1]


def choices_of(form: Form, request: StudyDesign, candidates: Sequence[Candidate]) -> list[Choice]:
    """Return everything that could be drawn, in the order of the candidates."""
    if form.rates == "caption":
        if not form.compares:
            return [Choice(one, ((-one.sample,),)) for one in candidates]
        return [Choice(first, ((-first.sample, -second.sample),)) for first, second in _caption_pairs(candidates)]
    asked = set(request.metrics)
    rated = [(one, scores) for one in candidates if (scores := _asked_for(request, one))]
    whole = [(one, scores) for one, scores in rated if asked <= {score.metric for score in scores}]
    if form.layout == "single":
        # if no caption has all chosen metrics, each caption is rated with those that it has
        return [_choice(one, combinations(scores, 1)) for one, scores in whole or rated]
    together = [(one, scores) for one, scores in whole if len(scores) >= max(2, len(asked))]
    return [_choice(one, combinations(scores, 2) if form.compares else [scores]) for one, scores in together]


def _choice(candidate: Candidate, items: Iterable[tuple[ExplainedScore, ...]]) -> Choice:
    scores = tuple(items)
    return Choice(candidate, tuple(tuple(score.id for score in item) for item in scores), scores[0][0].position)


def _caption_pairs(candidates: Sequence[Candidate]) -> Iterator[tuple[Candidate, Candidate]]:
    of_picture: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        if candidate.image is not None:
            of_picture.setdefault(candidate.image, []).append(candidate)
    for captions in of_picture.values():
        yield from combinations(captions, 2)


def _asked_for(request: StudyDesign, candidate: Candidate) -> tuple[ExplainedScore, ...]:
    if not request.metrics:
        return tuple(sorted(candidate.scores, key=lambda score: (score.metric, score.id)))
    return tuple(score for metric in request.metrics for score in candidate.scores if score.metric == metric)


def score_stratum(value: float) -> str:
    """Return the name of the interval that contains a score in [0, 1]."""
    for (_, high), name in zip(SCORE_INTERVALS, SCORE_STRATA, strict=True):
        if value < high:
            return name
    return SCORE_STRATA[-1]


def human_stratum(judgements: Sequence[float]) -> str | None:
    """Return the score on which all judges of a sample agree, e.g. "3".

    Returns None for fewer than two judgements, or if the judgements differ.
    """
    if len(judgements) < 2 or len(set(judgements)) > 1:
        return None
    return f"{judgements[0]:g}"


STRATUM_OF: dict[str, Callable[[Choice], str | None]] = {
    "score": lambda choice: score_stratum(choice.position),
    "human": lambda choice: human_stratum(choice.candidate.judgements),
    "none": lambda choice: "all",
}


def nothing_to_rate(form: Form, request: StudyDesign, candidates: Sequence[Candidate]) -> str:
    """Return why a data set has nothing to rate with a form."""
    if form.rates == "caption":
        needed = "two captions of one picture" if form.compares else "at least one caption"
        return f"The form {form.key} needs {needed}, but {request.dataset} has none."
    metrics = sorted({score.metric for candidate in candidates for score in candidate.scores})
    there = f"explanations of {', '.join(metrics)}" if metrics else "no score with an explanation"
    needed = "at least one explanation" if form.layout == "single" else "two or more explanations of one sample"
    asked = f" by {', '.join(request.metrics)}" if request.metrics else ""
    return f"The form {form.key} needs {needed} in words{asked}. {request.dataset} has {there}."
