"""Agreement among people, beside a loop, scipy and the package krippendorff."""

import krippendorff
import numpy as np
import pytest
from scipy.stats import kendalltau

from core.benchmarks.columns import JudgedColumn, judged_column
from core.benchmarks.correlation import counted
from core.benchmarks.human_agreement import among_people, others_mean

FEW = [[1, 1, 2], [4, 3, 4], [2, 2, 2], [1, 3], [4], []]


def column(judgements: list[list[int]]) -> JudgedColumn:
    size = len(judgements)
    return judged_column(range(size), [f"{n % 3}" for n in range(size)], [None] * size, judgements, [None] * size)


def test_a_judgement_stands_beside_the_mean_of_its_captions_other_judgements() -> None:
    found = others_mean(column(FEW))
    pairs = [(np.mean(of[:i] + of[i + 1 :]), own) for of in FEW if len(of) > 1 for i, own in enumerate(of)]
    assert found.score.tolist() == pytest.approx([mean for mean, _ in pairs])
    assert found.human.tolist() == [own for _, own in pairs]
    assert found.image.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0]


def test_the_taus_of_people_are_scipys() -> None:
    drawn = np.random.default_rng(3)
    truth = drawn.integers(1, 5, 200)
    many = np.clip(truth[:, None] + drawn.integers(-1, 2, (200, 3)), 1, 4)
    found = counted(others_mean(column(many.tolist()))).taus
    mean = (many.sum(axis=1, keepdims=True) - many) / 2
    for letter, tau in (("b", found.tau_b), ("c", found.tau_c)):
        assert tau == pytest.approx(kendalltau(mean.ravel(), many.ravel(), variant=letter).statistic)


def test_alphas_are_those_of_the_package_krippendorff_though_captions_have_different_numbers_of_judgements() -> None:
    table = np.full((3, len(FEW)), np.nan)
    for caption, of in enumerate(FEW):
        table[: len(of), caption] = of
    found = among_people(column(FEW))
    assert (found.units, found.shared_units, found.judgements) == (5, 4, 12)
    for one in found.coefficients[:3]:
        level = one.name.removeprefix("alpha ")
        assert one.value == pytest.approx(krippendorff.alpha(reliability_data=table, level_of_measurement=level))


def test_captions_judged_once_say_nothing_of_agreement() -> None:
    alone = column([[1], [2], [3]])
    assert len(others_mean(alone).score) == 0
    assert {one.value for one in among_people(alone).coefficients} == {None}


def test_means_that_are_tied_stay_tied_in_whatever_order_they_were_added() -> None:
    found = others_mean(column([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]))  # type: ignore[list-item]
    assert len(set(found.score.tolist())) == 3
