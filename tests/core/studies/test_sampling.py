from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import NotEnoughSamples
from core.studies.planning.choices import SCORE_STRATA, human_stratum, score_stratum
from core.studies.planning.plan import draw, quotas


@pytest.mark.parametrize(
    ("value", "stratum"),
    [
        (0.0, "[0, 0.33)"),
        (0.3299999, "[0, 0.33)"),
        (0.33, "[0.33, 0.66)"),
        (0.6599999, "[0.33, 0.66)"),
        (0.66, "[0.66, 1]"),
        (1.0, "[0.66, 1]"),
    ],
)
def test_score_intervals_are_closed_on_the_left_and_the_last_one_on_the_right(value: float, stratum: str) -> None:
    assert score_stratum(value) == stratum


@pytest.mark.parametrize(
    ("judgements", "stratum"), [((3.0, 3.0, 3.0), "3"), ((1.0,), None), ((3.0, 3.0, 4.0), None), ((), None)]
)
def test_only_unanimous_judges_give_a_human_stratum(judgements: tuple[float, ...], stratum: str | None) -> None:
    assert human_stratum(judgements) == stratum


def test_a_hundred_over_three_intervals_is_33_33_34() -> None:
    assert quotas(100, SCORE_STRATA) == {"[0, 0.33)": 33, "[0.33, 0.66)": 33, "[0.66, 1]": 34}


def test_a_hundred_over_four_human_scores_is_25_each() -> None:
    assert quotas(100, ["1", "2", "3", "4"]) == {"1": 25, "2": 25, "3": 25, "4": 25}


@given(st.integers(1, 5000), st.integers(1, 9))
def test_quotas_add_up_and_differ_by_at_most_one(size: int, strata: int) -> None:
    shares = quotas(size, [str(number) for number in range(strata)]).values()
    assert sum(shares) == size
    assert max(shares) - min(shares) <= 1


groups = st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(), unique=True, min_size=1, max_size=20))


@given(groups, st.integers(), st.data())
def test_a_draw_takes_what_is_wanted_once_each_and_repeats_with_its_seed(
    members: dict[str, list[int]], seed: int, data: st.DataObject
) -> None:
    wanted = {name: data.draw(st.integers(0, len(group))) for name, group in members.items()}
    drawn = draw(members, wanted, seed)
    assert drawn == draw(members, wanted, seed)
    assert Counter(name for name, _ in drawn) == Counter({name: count for name, count in wanted.items() if count})
    assert len(set(drawn)) == len(drawn)
    assert all(member in members[name] for name, member in drawn)


def test_another_seed_gives_another_draw() -> None:
    members = {"all": list(range(100))}
    assert draw(members, {"all": 10}, 1) != draw(members, {"all": 10}, 2)


def test_strata_are_mixed_in_the_drawn_order() -> None:
    drawn = draw({"low": range(50), "high": range(50)}, {"low": 50, "high": 50}, 3)
    assert {name for name, _ in drawn[:10]} == {"low", "high"}


def test_too_few_samples_are_refused_with_what_every_stratum_holds() -> None:
    with pytest.raises(NotEnoughSamples, match=r"low: 2 of 3, high: 0 of 3.*fewer items"):
        draw({"low": [1, 2]}, {"low": 3, "high": 3}, 0)
