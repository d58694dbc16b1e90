"""Figures that the four papers below printed, as data.

Capscope shows them beside its own figures and marks them as published. All figures are multiplied by 100, as printed.

FLEUR: Lee et al., 2024, arXiv 2406.06004. EXPERT: Kim et al., 2025, arXiv 2506.24016. HICE-S: Zeng et al., 2024, arXiv
2407.18589. Polos: Wada et al., 2024, arXiv 2402.18091.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.benchmarks.pairwise import MEAN
from core.datasets import BENCHMARKS
from core.datasets.benchmark import Published, Quantity
from core.datasets.pascal50s import CATEGORIES
from core.types import OWN, RAW, Variant

PASCAL = (*CATEGORIES, MEAN)


@dataclass(frozen=True, slots=True)
class _Source:
    paper: str
    table: str

    def taus(self, metric: str, variant: Variant = "smoothed", **values: float) -> tuple[Published, ...]:
        """Return published taus. The names of the values are abbreviated: EX_c is tau-c on Flickr8k-Expert."""
        made = []
        for name, value in values.items():
            benchmark, tau = name.split("_")
            quantity: Quantity = "tau_b" if tau == "b" else "tau_c"
            made.append(Published(metric, _BENCHMARKS[benchmark], quantity, value, self.paper, self.table, variant))
        return tuple(made)

    def pascal(self, metric: str, values: Sequence[float], variant: Variant = "smoothed") -> tuple[Published, ...]:
        """Return published Pascal-50S accuracies. The values have the order of the categories in PASCAL."""
        return tuple(
            Published(metric, "pascal50s", "accuracy", value, self.paper, self.table, variant, category)
            for category, value in zip(PASCAL, values, strict=True)
        )

    def foil(self, metric: str, **values: float) -> tuple[Published, ...]:
        """Return FOIL accuracies: `free` without references, `one` and `four` with 1 and 4 references."""
        categories = {"free": None, "one": "1-ref", "four": "4-ref"}
        return tuple(
            Published(metric, "foil", "accuracy", value, self.paper, self.table, category=categories[name])
            for name, value in values.items()
        )


_BENCHMARKS = {
    "EX": "flickr8k-expert", "CF": "flickr8k-cf", "COM": "composite", "POL": "polaris", "NEB": "nebula",
}  # fmt: skip

_FLEUR = _Source("FLEUR (Lee et al., 2024)", "main results and ablation of score smoothing")
_FLEUR_7B = _Source("FLEUR (Lee et al., 2024)", "size of the model")
_EXPERT = _Source("EXPERT (Kim et al., 2025)", "main results and ablation of score smoothing")
_HICE = _Source("HICE-S (Zeng et al., 2024)", "main results")
_HICE_PARTS = _Source("HICE-S (Zeng et al., 2024)", "Table 5, global and local evaluation")
_POLOS_1 = _Source("Polos (Wada et al., 2024)", "Table 1, correlation with human judgement")
_POLOS_2 = _Source("Polos (Wada et al., 2024)", "Table 2, Pascal-50S and FOIL")

PUBLISHED: tuple[Published, ...] = (
    *_FLEUR.taus("FLEUR", EX_c=53.0, CF_b=38.6, COM_c=63.5),
    *_FLEUR.taus("FLEUR", "raw", EX_c=34.9, CF_b=51.6, COM_c=58.9),
    *_FLEUR.pascal("FLEUR", (61.3, 99.7, 97.6, 74.2, 83.2)),
    *_FLEUR.pascal("FLEUR", (26.0, 99.3, 92.4, 42.7, 65.1), "raw"),
    *_FLEUR.foil("FLEUR", free=96.8),
    *_FLEUR.taus("RefFLEUR", EX_c=51.9, CF_b=38.8, COM_c=64.2),
    *_FLEUR.pascal("RefFLEUR", (68.0, 99.8, 98.0, 76.1, 85.5)),
    *_FLEUR.foil("RefFLEUR", one=97.3, four=98.4),
    *_FLEUR_7B.taus("FLEUR 7B", EX_c=48.6, CF_b=34.3, COM_c=56.9),
    *_FLEUR_7B.pascal("FLEUR 7B", (55.0, 99.3, 97.7, 71.8, 81.0)),
    *_EXPERT.taus("FLEUR", POL_c=58.3, NEB_c=51.7),
    *_EXPERT.taus("FLEUR", "raw", POL_c=53.5, NEB_c=52.3),
    *_EXPERT.taus("EXPERT", EX_c=56.7, CF_b=39.3, COM_c=65.0, POL_c=61.1, NEB_c=54.9),
    *_EXPERT.taus("EXPERT", "raw", EX_c=35.7, CF_b=52.0, COM_c=58.4, POL_c=54.0, NEB_c=57.2),
    *_EXPERT.pascal("EXPERT", (62.8, 99.8, 97.8, 78.4, 84.7)),
    *_EXPERT.pascal("EXPERT", (26.8, 99.3, 93.4, 45.3, 66.2), "raw"),
    *_HICE.taus("HICE-S", EX_b=55.9, EX_c=56.4, CF_b=37.2, CF_c=19.2, COM_b=53.1, COM_c=57.9),
    *_HICE_PARTS.taus("HICE-S", "gITC", EX_b=52.3, EX_c=53.1),
    *_HICE_PARTS.taus("HICE-S", "lITC", EX_b=54.6, EX_c=54.4),
    *_HICE.pascal("HICE-S", (68.6, 99.7, 96.5, 79.5, 86.1)),
    *_HICE.foil("HICE-S", free=93.1),
    *_HICE.taus("RefHICE-S", EX_b=57.2, EX_c=57.7, CF_b=38.2, CF_c=19.8, COM_b=53.9, COM_c=58.7),
    *_HICE.pascal("RefHICE-S", (71.4, 99.7, 97.7, 79.7, 87.3)),  # printed: 87.3; but the categories' mean is 87.1
    *_HICE.foil("RefHICE-S", one=96.4, four=97.0),
    *_POLOS_1.taus("Polos", COM_c=57.6, EX_c=56.4, CF_b=37.8, POL_c=57.8),
    *_POLOS_2.pascal("Polos", (70.0, 99.6, 97.4, 79.0, 86.5)),
    *_POLOS_2.foil("Polos", one=93.3, four=95.4),
)  # fmt: skip


def published(
    benchmark: str,
    metric: str | None = None,
    variant: Variant | None = None,
    brought: Sequence[Published] = (),
) -> tuple[Published, ...]:
    """Return the published figures for a benchmark.

    metric, variant: None returns the figures of all metrics or all variants. Upper and lower case of the metric do not
    matter. brought: figures that metrics define in their own code. All figures for a benchmark that Capscope does not
    know come from `brought`.
    """
    return tuple(
        number
        for number in (*PUBLISHED, *(number for one in BENCHMARKS for number in one.published), *brought)
        if number.benchmark == benchmark
        and (metric is None or number.metric.lower() == metric.lower())
        and (variant is None or number.variant in ((OWN, RAW) if variant == "" else (variant,)))
    )


def published_beside(
    benchmark: str, metric: str, variant: Variant, category: str | None, brought: Sequence[Published] = ()
) -> tuple[Published, ...]:
    """Return the published figures to show beside a row of computed figures.

    category: the category of pairs to which the row belongs, if any. A row with a category gets the figures of that
    category. A row without a category gets the figures that belong to no category, such as FOIL's figures with four
    references.
    """
    figures = published(benchmark, metric, variant, brought)
    if category not in (None, benchmark):
        return tuple(number for number in figures if number.category == category)
    categories = next((one.categories for one in BENCHMARKS if one.name == benchmark), ())
    return tuple(number for number in figures if number.category not in (*categories, MEAN))


@dataclass(frozen=True, slots=True)
class PublishedRating:
    """Mean rating of EXPERT's training explanations on one criterion: 4 raters, 100 items, 1 to 4 points."""

    criterion: str  # key of the criterion
    mean: float  # points
    sd: float  # standard deviation over all 400 ratings
    metric: str = "EXPERT"  # the metric whose explanations were rated; these values are shown for no other metric


PUBLISHED_RATINGS: tuple[PublishedRating, ...] = (
    PublishedRating("consistency", 3.72, 0.52),
    PublishedRating("factuality", 3.84, 0.39),
    PublishedRating("informativeness", 3.72, 0.45),
)
