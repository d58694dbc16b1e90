from itertools import pairwise

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
