import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.statistics.significance import holm, signed_rank


@pytest.fixture(scope="module")
def golden(shared_dir: Path) -> dict:  # type: ignore[type-arg]
    return json.loads((shared_dir / "golden/agreement/agreement.json").read_text())


def test_signed_rank_agrees_with_the_golden_vectors(golden: dict) -> None:  # type: ignore[type-arg]
    comparisons = [c for family in golden["wilcoxon"] for c in family["comparisons"]]
    for c in comparisons:
        outcome = signed_rank(np.array(c["x"]), np.array(c["y"]))
        assert outcome.statistic == c["statistic"]
        assert outcome.p == pytest.approx(c.get("p_exact", c["p_asymptotic"]), abs=1e-9)
    assert len(comparisons) == 7


def test_holm_agrees_with_the_golden_vectors(golden: dict) -> None:  # type: ignore[type-arg]
    for case in golden["holm_only"]:
        assert holm(case["p"]) == pytest.approx(case["holm"], abs=1e-9)


def test_pairs_without_a_difference_are_left_out_and_the_note_says_how_many() -> None:
    outcome = signed_rank(np.array([3.0, 3.0, 2.0]), np.array([3.0, 3.0, 1.0]))
    assert (outcome.p, outcome.note) == (1.0, "items not counted, because both metrics have the same mean rating: 2")


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=8))
def test_few_differences_with_ties_give_the_p_of_enumerating_all_signs(differences: list[int]) -> None:
    moved = np.array([d for d in differences if d])
    if not len(moved):
        return
    ranks = stats.rankdata(np.abs(moved))
    sums = [sum(r for r, up in zip(ranks, ups, strict=True) if up) for ups in product((0, 1), repeat=len(ranks))]
    observed = ranks[moved > 0].sum()
    tail = min(sum(s <= observed for s in sums), sum(s >= observed for s in sums)) / len(sums)
    outcome = signed_rank(moved.astype(float), np.zeros(len(moved)))
    assert outcome.p == pytest.approx(min(1, 2 * tail))
    assert outcome.statistic == min(observed, ranks.sum() - observed)
