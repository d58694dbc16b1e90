from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.errors import NotEnoughSamples
from core.studies.controls import (
    APART,
    EXTREME,
    Controls,
    Source,
    SourceScore,
    expected,
    proposals,
    roles_to_come,
)
from core.studies.quality_types import Role

SOURCES = tuple(
    Source(
        sample=10 + n,
        image=n // 2,  # two captions a picture
        found=True,
        caption=f"a {word} on a chair",
        scores=(SourceScore(100 + n, "A", n / 7), SourceScore(200 + n, "B", 0.5)),
        used=n < 4,
    )
    for n, word in enumerate(("dog", "cat", "bird", "cow", "sheep", "horse", "fox", "bear"))
)
OF = {source.sample: source for source in SOURCES}
BY_SCORE = {score.id: (source, score) for source in SOURCES for score in source.scores}


def test_a_swapped_item_shows_an_explanation_of_another_picture() -> None:
    made = proposals("swapped", SOURCES, 1, 8, seed=3)
    assert len({one.sample for one in made}) == 8
    for one in made:
        (score,) = one.scores
        assert BY_SCORE[score][0].image != OF[one.sample].image
    assert expected("swapped", 2) == {"factuality": (1, 2)}


def test_a_turned_item_has_a_score_near_an_end_of_its_scale() -> None:
    made = proposals("turned", SOURCES, 1, 8, seed=3)
    assert made
    for one in made:
        (score,) = one.scores
        source, found = BY_SCORE[score]
        assert source.sample == one.sample
        assert found.position <= EXTREME or found.position >= 1 - EXTREME
    assert expected("turned", 2) == {"consistency": (1, 2)}


def test_side_by_side_every_explanation_is_of_one_other_picture() -> None:
    for one in proposals("swapped", SOURCES, 2, 4, seed=1):
        owners = {BY_SCORE[score][0].sample for score in one.scores}
        assert len(one.scores) == 2 and len(owners) == 1 and owners != {one.sample}


def test_what_the_study_does_not_hold_is_taken_first() -> None:
    assert not any(OF[one.sample].used for one in proposals("swapped", SOURCES, 1, 4, seed=5))
    assert proposals("swapped", SOURCES, 1, 4, seed=5) == proposals("swapped", SOURCES, 1, 4, seed=5)


def test_a_turned_score_needs_no_picture_and_an_explanation_of_another_one_does() -> None:
    unseen = [replace(source, found=False) for source in SOURCES]
    assert proposals("turned", unseen, 1, 8, seed=3) == proposals("turned", SOURCES, 1, 8, seed=3)
    with pytest.raises(NotEnoughSamples):
        proposals("swapped", unseen, 1, 8, seed=3)
    half = [replace(source, found=source.sample % 2 == 0) for source in SOURCES]
    made = proposals("swapped", half, 1, 8, seed=3)
    assert {one.sample % 2 for one in made} == {0}


def test_what_is_there_already_is_not_made_again() -> None:
    there = {one.sample for one in proposals("turned", SOURCES, 1, 2, seed=3)}
    assert there.isdisjoint(one.sample for one in proposals("turned", SOURCES, 1, 8, seed=3, there=there))
    with pytest.raises(NotEnoughSamples, match="not there yet"):
        proposals("turned", SOURCES, 1, 8, seed=3, there=set(OF))


@pytest.mark.parametrize("making", ["swapped", "turned"])
def test_where_none_can_be_made_it_says_what_it_takes(making: str) -> None:
    alone = [Source(1, 1, True, "a dog", (SourceScore(1, "A", 0.5),), used=False)]
    with pytest.raises(NotEnoughSamples, match="None can be made"):
        proposals(making, alone, 1, 3, seed=0)  # type: ignore[arg-type]


CONTROLS = some.builds(
    Controls,
    training=some.integers(0, 3),
    gold=some.integers(0, 9),
    gold_every=some.none() | some.integers(2, 20),
    repeat_every=some.none() | some.integers(2, 20),
)


@given(seed=some.integers(0, 99), rater=some.integers(0, 20), free=some.integers(0, 80), controls=CONTROLS)
def test_every_order_has_all_of_the_studys_items_training_first_and_repeats_far_behind(
    seed: int, rater: int, free: int, controls: Controls
) -> None:
    roles = list(roles_to_come(seed, rater, [], free, controls))
    assert roles.count("item") == free
    assert roles[: roles.count("training")] == ["training"] * (controls.training if free else 0)
    assert roles.count("gold") <= (controls.gold if controls.gold_every else 0)
    assert not roles or roles[-1] == "item"
    for place, role in enumerate(roles):
        if role == "repeat":
            before = roles[: place - APART]
            assert before.count("item") > roles[:place].count("repeat")


@given(seed=some.integers(0, 99), free=some.integers(1, 60), controls=CONTROLS, at=some.integers(0, 80))
def test_an_order_goes_on_as_it_would_have_gone(seed: int, free: int, controls: Controls, at: int) -> None:
    whole: list[Role] = list(roles_to_come(seed, 0, [], free, controls))
    past = whole[:at]
    left = Controls(
        training=controls.training - past.count("training"),
        gold=controls.gold - past.count("gold"),
        gold_every=controls.gold_every,
        repeat_every=controls.repeat_every,
    )
    assert list(roles_to_come(seed, 0, past, free - past.count("item"), left)) == whole[at:]


def test_gold_comes_once_in_every_block_at_places_that_differ() -> None:
    roles = list(roles_to_come(1, 0, [], 200, Controls(gold=50, gold_every=10)))
    places = [place for place, role in enumerate(roles) if role == "gold"]
    assert [place // 10 for place in places] == list(range(len(places)))
    assert len({b - a for a, b in pairwise(places)}) > 3
    other = list(roles_to_come(1, 1, [], 200, Controls(gold=50, gold_every=10)))
    assert [place for place, role in enumerate(other) if role == "gold"] != places
