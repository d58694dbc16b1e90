from dataclasses import replace

import pytest

from core.errors import BadSetting
from core.studies.rater_quality.flags import Thresholds, flags, thresholds_json, thresholds_of
from core.studies.rater_quality.measures import study_quality
from core.studies.rater_quality.types import RaterQuality
from tests.simulated_raters import Kind, simulated_study

DEFAULTS = Thresholds()
CAREFUL = RaterQuality(
    items=100,
    answers=300,
    minutes=50.0,
    item_seconds=28.0,
    word_seconds=0.3,
    longest_run=6,
    entropy=0.8,
    abstained=0.02,
    gold=6,
    gold_passed=6,
    repeats=18,
    repeats_equal=12,
    repeats_within_one=18,
    shared=300,
    correlation=0.6,
    alpha_without=0.5,
)
NEWCOMER = RaterQuality(
    items=1,
    answers=3,
    minutes=0.0,
    item_seconds=0.1,
    word_seconds=0.001,
    longest_run=1,
    entropy=0.0,
    abstained=1.0,
    gold=1,
    gold_passed=0,
    repeats=1,
    repeats_equal=0,
    repeats_within_one=0,
    shared=3,
    correlation=-1.0,
    alpha_without=None,
)


def measures(quality: RaterQuality, thresholds: Thresholds = DEFAULTS) -> list[str]:
    return [flag.measure for flag in flags(quality, thresholds)]


def test_a_careful_rater_bears_no_flag() -> None:
    assert measures(CAREFUL) == []


def test_a_hundred_items_in_a_fifth_of_a_minute_are_flagged() -> None:
    hurried = replace(CAREFUL, minutes=0.2, item_seconds=0.12, word_seconds=0.0012)
    assert measures(hurried) == ["item_seconds", "word_seconds"]
    assert flags(hurried, Thresholds())[0].words == "0.1 s per item"


@pytest.mark.parametrize(
    ("change", "measure", "words"),
    [
        ({"longest_run": 30}, "longest_run", "30 equal answers in a row"),
        ({"entropy": 0.1}, "entropy", "answers hardly differ from each other (entropy 0.10 of at most 1)"),
        ({"abstained": 0.3}, "abstained", "30 % abstained"),
        ({"gold_passed": 3}, "gold_passed", "50 % of gold items answered right"),
        (
            {"repeats_within_one": 9},
            "repeats_within_one",
            "50 % of repeated items answered with at most one point difference",
        ),
        ({"correlation": -0.05}, "correlation", "hardly correlates with the other raters (r = −0.05)"),
    ],
)
def test_what_lies_beyond_a_threshold_is_said(change: dict[str, float], measure: str, words: str) -> None:
    (flag,) = flags(replace(CAREFUL, **change), Thresholds())  # type: ignore[arg-type]
    assert (flag.measure, flag.words, flag.threshold) == (measure, words, getattr(Thresholds(), measure))


def test_too_little_is_not_judged() -> None:
    assert measures(NEWCOMER) == []


def test_nothing_is_flagged_where_there_is_nothing_to_measure() -> None:
    blank = replace(CAREFUL, item_seconds=None, word_seconds=None, entropy=None, abstained=None, correlation=None)
    assert measures(replace(blank, gold=0, gold_passed=0, repeats=0, repeats_within_one=0)) == []


def test_a_threshold_of_the_study_replaces_the_default() -> None:
    assert measures(CAREFUL, Thresholds(item_seconds=30.0)) == ["item_seconds"]
    assert measures(replace(CAREFUL, longest_run=40), Thresholds(longest_run=50)) == []


def test_thresholds_come_back_from_plain_values_and_missing_ones_are_the_defaults() -> None:
    assert thresholds_of(thresholds_json(Thresholds(entropy=0.5))) == Thresholds(entropy=0.5)
    assert thresholds_of({"fewest_gold": 4}) == Thresholds(fewest_gold=4)


@pytest.mark.parametrize("change", [{"entropy": 1.5}, {"fewest_items": 0}, {"correlation": -2.0}, {"speed": 1}])
def test_thresholds_that_nobody_can_mean_are_refused(change: dict[str, float]) -> None:
    with pytest.raises(BadSetting):
        thresholds_of(change)


def test_simulated_cheats_are_found_and_careful_raters_left_alone() -> None:
    kinds: tuple[Kind, ...] = ("careful",) * 14 + ("hasty", "straight", "random") * 2
    flagged: dict[str, list[bool]] = {kind: [] for kind in kinds}
    for seed in range(5):
        study = simulated_study(kinds, 100, 3, seed)
        found = study_quality(study.given, study.answers, study.scales, len(kinds))
        for kind, quality in zip(kinds, found.raters, strict=True):
            flagged[kind].append(bool(flags(quality, Thresholds())))
    shares = {kind: sum(found) / len(found) for kind, found in flagged.items()}
    assert shares["careful"] <= 0.05
    assert min(shares["hasty"], shares["straight"], shares["random"]) >= 0.8
