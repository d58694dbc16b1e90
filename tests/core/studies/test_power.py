"""The promised power is what simulated studies reach with the report's own tests."""

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadSetting
from core.statistics.rating_model import RatingModel
from core.statistics.significance import holm, signed_rank, signed_rank_p
from core.studies.planning.power import PowerQuestion, _holm_of_first, items_needed, power
from core.studies.results.report import RatingRow, report

SKEWED = RatingModel((0.02, 0.05, 0.2, 0.73), 0.3, 0.1)
EVEN = RatingModel((0.25, 0.25, 0.25, 0.25), 0.6, 0.25)
SETTINGS = (
    PowerQuestion(SKEWED, 0.2, items=50, raters_per_item=3),
    PowerQuestion(SKEWED, -0.15, items=80, raters_per_item=1),
    PowerQuestion(EVEN, 0.4, items=40, raters_per_item=2),
    PowerQuestion(EVEN, 0.5, items=40, raters_per_item=2, metrics=3),
    PowerQuestion(EVEN, 0.4, items=45, raters_per_item=3, criteria=2),
)
STUDIES = 1000


@pytest.mark.parametrize("question", SETTINGS)
def test_a_thousand_studies_reach_the_promised_power(question: PowerQuestion) -> None:
    random = np.random.default_rng(11)
    shown = sum(_shows(question, random) for _ in range(STUDIES)) / STUDIES
    promised = power(question, draws=4000).power
    assert 0.2 < promised < 0.98  # settings where a wrong promise could be seen
    # 3 points: more than twice the standard error of 1,000 studies and of the promise together (1.4 points at most)
    assert promised == pytest.approx(shown, abs=0.03)


def _points(question: PowerQuestion, random: np.random.Generator) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Draw one study from the model's definition: (criteria, items, metrics, raters)."""
    model, (of_sample, of_explanation) = question.model, question.model._latent
    size = (question.criteria, question.items, question.metrics, question.raters_per_item)
    numbers = random.normal(size=size) * (1 - of_explanation) ** 0.5
    numbers += random.normal(size=(*size[:3], 1)) * (of_explanation - of_sample) ** 0.5
    numbers += random.normal(size=(*size[:2], 1, 1)) * of_sample**0.5
    numbers[0, :, 0] += model.shift(question.difference)
    return np.digitize(numbers, model.thresholds) + 1


def _shows(question: PowerQuestion, random: np.random.Generator) -> bool:
    means = _points(question, random).mean(axis=3)
    pairs = combinations(range(question.metrics), 2)
    tests = [signed_rank(of[:, a], of[:, b]).p for (a, b), of in product(pairs, means)]
    first = holm(tests)[0]
    return first is not None and first < question.alpha


def test_the_tests_above_are_those_of_the_report() -> None:
    question = SETTINGS[3]
    points = _points(question, np.random.default_rng(2))
    rows = [RatingRow(i, f"M{m}", f"R{r}", "C", int(points[0, i, m, r])) for i, m, r in np.ndindex(points.shape[1:])]
    means = points[0].mean(axis=2)
    mine = holm([signed_rank(means[:, a], means[:, b]).p for a, b in combinations(range(3), 2)])
    assert [test.p_holm for test in report(rows, draws=10).tests] == pytest.approx(mine)


def test_without_a_difference_worth_showing_the_test_errs_at_its_level() -> None:
    nothing = PowerQuestion(EVEN, 0.0001, items=60, raters_per_item=3)
    assert power(nothing, draws=4000).power == pytest.approx(0.05, abs=0.012)  # standard error 0.0034


def test_needed_items_reach_the_power_and_fewer_do_not() -> None:
    question = PowerQuestion(EVEN, 0.4, items=10, raters_per_item=3)
    needed = items_needed(question, 0.8)
    assert needed is not None
    assert power(PowerQuestion(EVEN, 0.4, needed, 3), draws=4000, seed=5).power == pytest.approx(0.8, abs=0.03)
    assert power(PowerQuestion(EVEN, 0.4, int(needed * 0.8), 3), draws=4000, seed=5).power < 0.78


def test_a_tiny_difference_needs_more_items_than_are_looked_at() -> None:
    assert items_needed(PowerQuestion(SKEWED, 0.01, items=10, raters_per_item=1), 0.8, draws=50) is None


def test_too_few_items_have_no_power() -> None:
    assert power(PowerQuestion(EVEN, 0.4, items=5, raters_per_item=3)).power == 0


@pytest.mark.parametrize("change", [{"items": 0}, {"raters_per_item": 0}, {"metrics": 1}, {"difference": 0.0}])
def test_impossible_questions_are_refused(change: dict[str, int]) -> None:
    known = {"difference": 0.2, "items": 10, "raters_per_item": 2} | change
    with pytest.raises(BadSetting):
        PowerQuestion(EVEN, **known)  # type: ignore[arg-type]


@given(
    st.lists(
        st.lists(st.sampled_from([-1.0, -2 / 3, -0.5, -1 / 3, 0.0, 1 / 3, 0.25, 1.0, 2.0]), min_size=60, max_size=60)
        | st.lists(st.floats(-2, 2, width=16), min_size=60, max_size=60),
        min_size=1,
        max_size=4,
    ),
    st.integers(1, 60),
)
def test_tests_of_many_rows_are_those_of_each_row(rows: list[list[float]], size: int) -> None:
    differences = np.array(rows)[:, :size]
    each = [signed_rank(row, np.zeros(size)).p for row in differences]
    expected = [np.nan if p is None else p for p in each]
    assert signed_rank_p(differences) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(st.lists(st.none() | st.floats(0, 1), min_size=1, max_size=6))
def test_corrected_p_of_the_first_test_is_holms(p: list[float | None]) -> None:
    column = np.array([[np.nan if one is None else one] for one in p])
    expected = holm(p)[0]
    assert _holm_of_first(column)[0] == pytest.approx(np.nan if expected is None else expected, nan_ok=True)
