from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.errors import NotEnoughSamples
from core.studies.planning.choices import ExplainedScore
from core.studies.planning.gold import EXTREME, MAKINGS, Controls, Role, Source, expected, proposals, roles_to_come

SOURCES = tuple(
    Source(
        sample=10 + n,
        image=n // 2,  # two captions a picture
        found=True,
        caption=f"a {word} on a chair",
        scores=(ExplainedScore(100 + n, "A", n / 7), ExplainedScore(200 + n, "B", 0.5)),
        used=n < 4,  # two pictures
    )
    for n, word in enumerate(("dog", "cat", "bird", "cow", "sheep", "horse", "fox", "bear"))
)
OF = {source.sample: source for source in SOURCES}
BY_SCORE = {score.id: (source, score) for source in SOURCES for score in source.scores}


def test_a_swapped_item_shows_an_explanation_of_another_picture() -> None:
    made = proposals("swapped", SOURCES, 1, 8, seed=3)
    assert len({OF[one.sample].image for one in made}) == len(made) == 4  # one for each picture
    for one in made:
        (score,) = one.scores
        assert BY_SCORE[score][0].image != OF[one.sample].image
    assert expected("swapped", 2) == {"factuality": (1, 2)}
    assert not any(OF[one.sample].used for one in made[:2])  # pictures that the study does not show come first


def test_a_turned_item_has_a_score_near_an_end_of_its_scale() -> None:
    made = proposals("turned", SOURCES, 1, 8, seed=3)
    assert made
    for one in made:
        (score,) = one.scores
        source, found = BY_SCORE[score]
        assert source.sample == one.sample
        assert found.position <= EXTREME or found.position >= 1 - EXTREME
    assert expected("turned", 2) == {"consistency": (1, 2)}


def test_no_picture_of_gold_or_practice_that_is_in_use_is_shown_again() -> None:
    taken = [replace(source, taken=source.image == 3) for source in SOURCES]
    for making in MAKINGS:
        assert 3 not in {OF[one.sample].image for one in proposals(making, taken, 1, 8, seed=3)}
        with pytest.raises(NotEnoughSamples, match="No new control item can be made"):
            proposals(making, [replace(source, taken=True) for source in SOURCES], 1, 8, seed=3)


def own_places(roles: list[Role], role: Role) -> list[int]:
    """Return how many own items come before each control of a role."""
    return [roles[:place].count("item") for place, one in enumerate(roles) if one == role]


def test_gold_comes_once_in_every_block_at_places_that_differ() -> None:
    roles = list(roles_to_come(1, 0, [], 200, Controls(gold=50, gold_every=10)))
    places = own_places(roles, "gold")
    assert [place // 10 for place in places] == list(range(20))
    assert len({b - a for a, b in pairwise(places)}) > 3
    other = list(roles_to_come(1, 1, [], 200, Controls(gold=50, gold_every=10)))
    assert own_places(other, "gold") != places


@given(some.integers(0, 99), some.integers(1, 60), some.integers(0, 9), some.integers(2, 20), some.integers(0, 80))
def test_an_order_goes_on_as_it_would_have_gone(seed: int, free: int, gold: int, every: int, at: int) -> None:
    whole = list(roles_to_come(seed, 0, [], free, Controls(practice=2, gold=gold, gold_every=every)))
    past = whole[:at]
    left = Controls(practice=2 - past.count("practice"), gold=gold - past.count("gold"), gold_every=every)
    assert list(roles_to_come(seed, 0, past, free - past.count("item"), left)) == whole[at:]
