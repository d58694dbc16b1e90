from collections import Counter
from dataclasses import replace

import pytest

from core.errors import BadSetting, NotEnoughSamples
from core.studies.design import StudyDesign
from core.studies.planning.choices import Candidate, ExplainedScore, score_stratum
from core.studies.planning.orders import panel_order, rater_order
from core.studies.planning.plan import plan_study


def request(**changes) -> StudyDesign:
    return StudyDesign(**{"name": "s", "dataset": "d", "seed": 1} | changes)


def candidates(count: int, metrics: str = "AB", judges: int = 3) -> list[Candidate]:
    """Samples 0, 1 ... with scores 10, 11, 20, 21 ... spread over [0, 1] and unanimous judges 1-4."""
    return [
        Candidate(
            number,
            tuple(float(1 + number % 4) for _ in range(judges)),
            tuple(ExplainedScore(10 * (number + 1) + n, m, number / count) for n, m in enumerate(metrics)),
        )
        for number in range(count)
    ]


def test_a_single_study_has_one_item_for_every_explanation() -> None:
    plan = plan_study(request(), candidates(5))
    assert sorted((item.sample, item.scores) for item in plan.items) == [
        (number, (10 * (number + 1) + metric,)) for number in range(5) for metric in range(2)
    ]
    assert plan.strata == (("all", 5),) and plan.captions == 5


def test_a_side_by_side_study_has_one_item_for_every_sample_with_its_explanations() -> None:
    plan = plan_study(request(form="expert-side-by-side"), candidates(5))
    assert sorted((item.sample, item.scores) for item in plan.items) == [
        (number, (10 * (number + 1), 10 * (number + 1) + 1)) for number in range(5)
    ]


def test_the_same_seed_draws_the_same_items_and_another_one_others() -> None:
    first, again, other = (plan_study(request(size=10, seed=seed), candidates(50)).items for seed in (1, 1, 2))
    assert first == again != other


def test_side_by_side_the_metrics_asked_for_come_in_their_order_and_samples_without_them_are_left_out() -> None:
    some = [*candidates(1, "A"), *candidates(3, "ABC")[1:]]
    plan = plan_study(request(form="expert-side-by-side", metrics=("C", "A")), some)
    assert sorted(item.scores for item in plan.items) == [(22, 20), (32, 30)]


def test_a_drawn_caption_is_rated_for_every_metric_in_a_study_of_single_explanations() -> None:
    for strata in ("none", "score", "human"):
        plan = plan_study(request(size=6, strata=strata), candidates(60))
        of_caption = Counter(item.sample for item in plan.items)
        assert len(plan.items) == 12 and set(of_caption.values()) == {2} and plan.captions == plan.pairs == 6


def test_strata_by_score_share_a_hundred_as_33_33_34() -> None:
    plan = plan_study(request(strata="score"), candidates(300, "A"))
    assert plan.strata == (("[0, 0.33)", 33), ("[0.33, 0.66)", 33), ("[0.66, 1]", 34))
    assert len(plan.items) == 100


def test_strata_by_human_score_share_a_hundred_as_25_each_among_unanimous_pairs() -> None:
    divided = Candidate(999, (1.0, 1.0, 2.0), (ExplainedScore(1, "A", 0.5),))
    plan = plan_study(request(strata="human"), [divided, *candidates(120, "A")])
    assert plan.strata == (("1", 25), ("2", 25), ("3", 25), ("4", 25))
    assert 999 not in {item.sample for item in plan.items}
    assert all(item.stratum == str(1 + item.sample % 4) for item in plan.items)


@pytest.mark.parametrize(
    ("changes", "some", "message"),
    [
        ({}, candidates(3, ""), "needs at least one explanation in words. d has no score with an explanation"),
        (
            {"form": "expert-side-by-side"},
            candidates(3, "A"),
            "two or more explanations of .* d has .* of A",
        ),
        ({"size": 7}, candidates(3), "all: 3 of 7"),
        ({"strata": "human"}, candidates(3, judges=0), "no sample whose human judgements all agree"),
    ],
)
def test_a_draw_that_cannot_be_made_says_what_there_is(changes, some, message) -> None:
    with pytest.raises(NotEnoughSamples, match=message):
        plan_study(request(**changes), some)


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"strata": "mood"},
        {"size": 0},
        {"raters_per_item": 2**40},
        {"criteria": ("factuality", "factuality")},
        {"hold_hours": 0},
        {"contact": "two\nlines"},
        {"practice": -1},
        {"seed": 2**31},
    ],
)
def test_a_request_that_no_study_can_be_made_of_is_refused(changes) -> None:
    with pytest.raises(BadSetting):
        request(**changes)


def test_orders_are_the_same_on_every_machine_and_the_next_panels_follow_each_other_in_another_way() -> None:
    assert rater_order(7, 0, 6) == [1, 4, 3, 0, 2, 5]
    assert [panel_order(3, item, 0) for item in range(4)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1)]


def test_captions_of_which_none_has_every_chosen_metric_are_rated_with_those_that_they_have() -> None:
    first = candidates(5, "A")
    mixed = [*first[:3], *(replace(one, scores=(replace(one.scores[0], metric="B"),)) for one in first[3:])]
    plan = plan_study(request(metrics=("A", "B")), mixed)
    assert (plan.captions, len(plan.items), plan.metrics, plan.pairs) == (5, 5, 2, 0)


def test_score_intervals_are_closed_on_the_left_and_the_last_one_on_the_right() -> None:
    names = ["[0, 0.33)"] * 2 + ["[0.33, 0.66)"] * 2 + ["[0.66, 1]"] * 2
    assert [score_stratum(value) for value in (0.0, 0.3299999, 0.33, 0.6599999, 0.66, 1.0)] == names
