from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as some

from core.studies.planning.gold import Controls, Role, roles_to_come


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
