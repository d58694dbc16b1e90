import gzip
import json
import math
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadData
from core.statistics.agreement_coefficients import Judgements, alpha, judgements
from core.statistics.rater_agreement import Agreement, Coefficient, agreement

LEVELS = ("nominal", "ordinal", "interval")
Long = tuple[list[int], list[int], list[float]]  # unit, rater, value


def long(table: Iterable[Iterable[float | None]]) -> Long:
    """Turn a raters x units table (None = missing) into unit, rater, value."""
    cells = [(u, r, v) for r, row in enumerate(table) for u, v in enumerate(row) if v is not None]
    return [u for u, _, _ in cells], [r for _, r, _ in cells], [float(v) for _, _, v in cells]


def by_name(result: Agreement) -> dict[str, Coefficient]:
    return {coefficient.name: coefficient for coefficient in result.coefficients}


def alpha_of(data: Judgements, level: str) -> float:
    return float(alpha(data, data.frequency[None, :], level)[0])  # type: ignore[arg-type]


# -- hand-worked and published cases


def test_chance_at_the_papers_marginals_is_high_for_shares_and_ac2_but_not_for_alpha() -> None:
    # Mean 3.72 and sd 0.52 on four points: independent raters agree on about 62 % of pairs, AC2 is 0.90.
    rng = np.random.default_rng(3)
    values = rng.choice([2, 3, 4], p=[0.03, 0.22, 0.75], size=(4, 2000))
    found = by_name(agreement(*long(values.tolist()), scale=[1, 2, 3, 4], draws=20))
    assert found["exact"].chance == pytest.approx(0.62, abs=0.02)
    assert found["within one"].chance == pytest.approx(0.95, abs=0.015)
    assert found["AC2 quadratic"].chance == pytest.approx(0.90, abs=0.01)
    for coefficient in found.values():
        assert coefficient.value == pytest.approx(coefficient.chance, abs=0.025)


# -- golden vectors and real data


def test_alpha_agrees_with_the_golden_vectors(shared_dir: Path) -> None:
    cases = json.loads((shared_dir / "golden/agreement/agreement.json").read_text())["krippendorff"]
    for case in cases:
        data = judgements(*long(case["ratings_raters_x_units_null_missing"]))
        for level, expected in case["alpha"].items():
            assert alpha_of(data, level) == pytest.approx(expected, abs=1e-9)
    assert len(cases) == 6


def test_alpha_of_real_ratings_agrees_with_third_party_values(shared_dir: Path) -> None:
    expected = json.loads((shared_dir / "data/ratings/reference_alpha.json").read_text())["values"]["tifa_human_scores"]
    items = json.loads(gzip.decompress((shared_dir / "data/ratings/tifa/human_annotations.json.gz").read_bytes()))
    data = judgements(*long(zip(*(item["human_scores"] for item in items.values()), strict=True)))
    assert (data.units, data.total) == (expected["units"], expected["ratings"])
    for level in LEVELS:
        assert alpha_of(data, level) == pytest.approx(expected[f"alpha_{level}"], abs=1e-6)


# -- other programs and a naive version on random tables


def naive_gwet(table: list[list[int | None]], weight: dict[tuple[int, int], float], scale: list[int]) -> float | None:
    """AC2 from Gwet's formulas, pair by pair."""
    units = [[row[u] for row in table if row[u] is not None] for u in range(len(table[0]))]
    units = [unit for unit in units if unit]
    shared = [unit for unit in units if len(unit) > 1]
    if not shared:
        return None
    pairs = [[weight[a, b] for a, b in combinations(unit, 2)] for unit in shared]
    observed = sum(sum(p) / len(p) for p in pairs) / len(shared)
    share = {v: sum(unit.count(v) / len(unit) for unit in units) / len(units) for v in scale}
    q = len(scale)
    chance = sum(weight.values()) * sum(p * (1 - p) for p in share.values()) / (q * (q - 1))
    return (observed - chance) / (1 - chance)


tables = st.integers(1, 7).flatmap(
    lambda units: st.lists(
        st.lists(st.one_of(st.none(), st.integers(1, 4)), min_size=units, max_size=units), min_size=1, max_size=5
    )
)


@given(tables)
def test_alpha_agrees_with_the_package_krippendorff_on_tables_with_missing_values(
    table: list[list[int | None]],
) -> None:
    data, filled = judgements(*long(table)), np.array(table, dtype=float)
    pool = filled[:, np.isfinite(filled).sum(axis=0) > 1]
    for level in LEVELS:
        found = alpha_of(data, level)
        if len(np.unique(pool[np.isfinite(pool)])) < 2:
            assert math.isnan(found)
        else:
            theirs = krippendorff.alpha(reliability_data=filled, level_of_measurement=level)
            assert found == pytest.approx(theirs, abs=1e-9)


@given(tables)
@settings(max_examples=50)
def test_gwet_agrees_with_the_naive_version(table: list[list[int | None]]) -> None:
    scale = [1, 2, 3, 4]
    graded = {(a, b): 1 - (a - b) ** 2 / 9 for a in scale for b in scale}
    found = by_name(agreement(*long(table), scale=scale, draws=5))
    for name, weight in (("AC1", {key: float(key[0] == key[1]) for key in graded}), ("AC2 quadratic", graded)):
        expected = naive_gwet(table, weight, scale)
        assert found[name].value == (None if expected is None else pytest.approx(expected, abs=1e-9))


# -- intervals


def test_the_interval_agrees_with_drawing_units_one_by_one() -> None:
    rng = np.random.default_rng(0)
    table = np.clip(rng.integers(1, 5, 40) + rng.integers(-1, 2, (3, 40)), 1, 4)
    found = by_name(agreement(*long(table.tolist()), draws=4000))["alpha ordinal"]
    drawn = [alpha_of(judgements(*long(table[:, rng.integers(0, 40, 40)].tolist())), "ordinal") for _ in range(150)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    assert (found.ci_low, found.ci_high) == (pytest.approx(low, abs=0.06), pytest.approx(high, abs=0.06))


# -- undefined and wrong cases, in words


def test_without_variation_alpha_is_undefined_but_the_shares_are_not() -> None:
    found = by_name(agreement(*long([[4, 4], [4, 4]]), scale=[1, 2, 3, 4]))
    assert (found["alpha ordinal"].value, found["exact"].value, found["AC1"].value) == (None, 1.0, 1.0)
    assert found["alpha ordinal"].note == "all ratings are equal, so agreement cannot be measured"
    one_point = by_name(agreement(*long([[4, 4], [4, 4]])))["AC1"]
    assert (one_point.value, one_point.note) == (None, "the scale has only one value, so raters cannot disagree")


def test_one_shared_unit_has_a_value_but_no_interval() -> None:
    found = by_name(agreement(*long([[4], [3]])))["exact"]
    assert (found.value, found.ci_low) == (0.0, None)
    assert found.note.startswith("no interval")


def test_missing_values_are_left_out_and_wrong_ones_refused() -> None:
    assert agreement([1, 1, 1], ["a", "b", "c"], [3, 3, math.nan]) == agreement([1, 1], ["a", "b"], [3, 3])
    with pytest.raises(BadData, match="a judged 7 twice"):
        agreement([7, 7], ["a", "a"], [3, 4])
    with pytest.raises(BadData, match=r"scale \[1.0, 2.0\], found 9.0"):
        agreement([1, 1], ["a", "b"], [1, 9], scale=[1, 2])
