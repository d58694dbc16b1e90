"""Distributions of ratings in published studies, to plan a study without a pilot."""

from dataclasses import dataclass

from core.statistics.rating_model import RatingModel
from core.studies.planning.forecast import LIKE


@dataclass(frozen=True, slots=True)
class TypicalRatings:
    """The ratings of a published study."""

    name: str
    source: str  # one sentence that says who gave the ratings and how the values were computed
    model: RatingModel


TYPICAL: tuple[TypicalRatings, ...] = (
    TypicalRatings(
        LIKE[0],
        "Ratings as in EXPERT's first study (mean 3.72 of 4, standard deviation 0.52). The agreement is the median of "
        "20 tasks; in each task, three raters judged explanations (few_shot_explanations, Wiegreffe et al. 2022).",
        RatingModel((0.0, 0.0345, 0.211, 0.7545), same_explanation=0.13),
    ),
    TypicalRatings(
        LIKE[1],
        "Ratings of three experts from 1 to 4 for 5,664 captions of Flickr8k-Expert (Hodosh et al. 2013). "
        "Correlations between experts, and between captions of one picture, were computed from these ratings.",
        RatingModel((0.5765, 0.2941, 0.0992, 0.0302), same_explanation=0.737, same_sample=0.137),
    ),
)
