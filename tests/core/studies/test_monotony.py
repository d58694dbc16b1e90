"""Runs of equal answers, judged by colleagues' answers to the same items: worked by hand, and simulated."""

from dataclasses import replace

import numpy as np
import pytest

from core.studies.asking.criteria import NO_PICTURE
from core.studies.rater_quality.flags import Thresholds, flags
from core.studies.rater_quality.measures import study_quality
from core.studies.rater_quality.monotony import SHORT, fleiss_kappa, improbable_runs
from tests.simulated_raters import Kind, Simulated, simulated_study

SCALE = 4  # and abstention: five possible answers


def runs(*answers: list[int], counts: bool = True) -> tuple[float, int]:
    """Return chance and length of the first rater's run; each rater's answers to the same items, one criterion."""
    items = len(answers[0])
    rater = np.repeat(np.arange(len(answers)), items)
    found = improbable_runs(
        rater,
        np.tile(np.arange(items), len(answers)),
        np.zeros(len(rater), dtype=np.int64),
        np.concatenate(answers),
        np.full(len(rater), counts),
        [SCALE],
        len(answers),
    )
    return float(found.chance[0]), int(found.length[0])


def test_always_three_where_colleagues_never_give_three_is_improbable_after_six_answers() -> None:
    # The colleagues never agree, so kappa is 0 and all items are alike: 6 ones, 6 twos, no three. Each three has the
    # chance (0 + 1) / (12 + 5). A run of 6 answers can begin at 6 places with 5 points.
    chance, length = runs([3] * 6, [1, 2] * 3, [2, 1] * 3)
    assert length == 6
    assert chance == pytest.approx(6 * 5 / 17**6)


def test_always_three_is_no_fault_where_everybody_gives_three() -> None:
    # Each three has the chance 13 / 17; 30 * (13 / 17) ** 6 is more than 1.
    assert runs([3] * 6, [3] * 6, [3] * 6) == (1.0, 6)


def test_colleagues_answers_to_the_same_item_weigh_by_how_well_raters_agree() -> None:
    # Colleagues give 1 to three items and 4 to three, the first rater 4 to all. Agreeing pairs: 24 of 36; shares 1/3
    # and 2/3, so 5/9 by chance; kappa = (2/3 - 5/9) / (4/9) = 1/4, and what colleagues answer in all weighs like
    # (1 - 1/4) / (1/4) = 3 answers. A four has 7 / 17 in all.
    table = np.array([[0, 2, 0, 0, 1]] * 3 + [[0, 0, 0, 0, 3]] * 3, dtype=float)
    assert fleiss_kappa(table) == pytest.approx(1 / 4)
    unlike, like = (0 + 3 * 7 / 17) / (2 + 3), (2 + 3 * 7 / 17) / (2 + 3)
    chance, _ = runs([4] * 6, [1, 1, 1, 4, 4, 4], [1, 1, 1, 4, 4, 4])
    assert chance == pytest.approx(6 * 5 * unlike**3 * like**3)


def test_four_equal_answers_and_answers_without_colleagues_are_not_judged() -> None:
    assert np.isnan(runs([3, 3, 3, 3, 2], [1, 2, 1, 2, 1])[0])
    assert not np.isnan(runs([3, 3, 3, 3, 3], [1, 2, 1, 2, 1])[0])  # five are
    assert np.isnan(runs([3] * 40)[0])
    assert np.isnan(runs([3] * 40, [1] * 40, counts=False)[0])


def test_the_most_improbable_run_is_told_not_the_longest() -> None:
    mine = [3] * 7 + [1] * 5
    chance, length = runs(mine, [3] * 7 + [4] * 5, [3] * 7 + [4] * 5)
    assert length == 5 and chance < 0.05


def share_flagged(kind: Kind, items: int, seeds: range) -> float:
    """Return the share of raters of a kind flagged for a run, among careful colleagues in a short study."""
    found, number = 0, 0
    for seed in seeds:
        kinds: list[Kind] = [kind, *["careful"] * 11]
        study = simulated_study(kinds, 12 * items // 3, 3, seed, gold=0, repeats=0)
        first = study_quality(study.given, study.answers, study.scales, len(kinds)).raters[0]
        found += any(flag.measure == "run_chance" for flag in flags(first, Thresholds()))
        number += 1
    return found / number


def test_in_a_task_of_twelve_items_straight_liners_are_found_and_careful_raters_are_not() -> None:
    seeds = range(1000, 1040)
    assert share_flagged("straight", 12, seeds) >= 0.8
    assert share_flagged("careful", 12, seeds) <= 0.05


def by_criteria(*answers: list[list[int]]) -> tuple[float, int]:
    """Return chance and length of the first rater's run; of each rater a list of items with a point a criterion."""
    items, criteria = len(answers[0]), len(answers[0][0])
    rater = np.repeat(np.arange(len(answers)), items * criteria)
    found = improbable_runs(
        rater,
        np.tile(np.repeat(np.arange(items), criteria), len(answers)),
        np.tile(np.arange(criteria), items * len(answers)),
        np.concatenate([np.concatenate(items) for items in answers]),
        np.full(len(rater), True),
        [SCALE] * criteria,
        len(answers),
    )
    return float(found.chance[0]), int(found.length[0])


def test_in_a_short_task_a_run_goes_on_over_all_criteria() -> None:
    # Two colleagues never give 3 and never agree on an item. Two criteria, 3 items: each three has the chance
    # (0 + 1) / (6 + 5) by itself, also behind another three, since no colleague gives one first. A run of 6 answers
    # can begin at 6 places with 5 points.
    chance, length = by_criteria([[3, 3]] * 3, [[1, 2], [2, 1], [1, 2]], [[2, 1], [1, 2], [2, 1]])
    assert length == 6
    assert chance == pytest.approx(6 * 5 / 11**6)


def test_equal_answers_to_one_item_count_for_less_where_colleagues_give_them_together() -> None:
    # Each criterion by itself: 3 of the colleagues' 6 answers are threes, so a three has the chance (3 + 1) / (6 + 5);
    # kappa is 0, as colleagues never agree on an item. All three colleagues' threes on the first criterion come with a
    # three on the second: (3 + 4 / 11) / (3 + 1).
    first, second = [[3, 3], [1, 1], [3, 3]], [[1, 1], [3, 3], [2, 2]]
    alone, after = 4 / 11, (3 + 4 / 11) / 4
    chance, length = by_criteria([[3, 3]] * 3, first, second)
    assert length == 6
    assert chance == pytest.approx(min(1, 6 * 5 * (alone * after) ** 3))


@pytest.mark.parametrize("items", [SHORT, SHORT + 4])
def test_in_longer_tasks_each_criterion_is_judged_by_itself(items: int) -> None:
    others = [[1, 2, 4], [2, 4, 1]] * items
    chance, length = by_criteria([[3, 3, 3]] * items, others[:items], others[1 : items + 1])
    assert length == items  # not three times as many
    assert chance == pytest.approx(items * 5 * 3 / (2 * items + 5) ** items)


def answering(study: Simulated, point: int) -> Simulated:
    """Return a study whose first rater gives one point to every question."""
    given = np.where(study.given.rater[study.answers.given] == 0, point, study.answers.point)
    return replace(study, answers=replace(study.answers, point=given))


def shares_flagged(studies: list[Simulated]) -> tuple[float, float]:
    """Return the shares of first raters and of all others who are flagged for a run."""
    found = []
    for study in studies:
        raters = study_quality(study.given, study.answers, study.scales, len(study.kinds)).raters
        found.append([any(flag.measure == "run_chance" for flag in flags(one, Thresholds())) for one in raters])
    table = np.array(found)
    return float(table[:, 0].mean()), float(table[:, 1:].mean())


@pytest.mark.parametrize("point", [0, 1, 2, 3, 4])
def test_one_point_pressed_twelve_times_in_a_task_of_four_items_is_found_and_careful_raters_are_not(point: int) -> None:
    careful: list[Kind] = ["careful"] * 12
    studies = [simulated_study(careful, 16, 3, seed, gold=0, repeats=0) for seed in range(1000, 1040)]
    found, by_mistake = shares_flagged([answering(study, point) for study in studies])
    assert found >= 0.8
    assert by_mistake <= 0.01


def test_items_without_their_picture_make_no_run() -> None:
    careful: list[Kind] = ["careful"] * 12
    study = answering(simulated_study(careful, 16, 3, 1000, gold=0, repeats=0), NO_PICTURE)
    first = study_quality(study.given, study.answers, study.scales, len(careful)).raters[0]
    assert first.run_chance is None
    assert first.unlikely_run == 0
