from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as some

from core.studies.planning.gold import Controls, Role, roles_to_come, workload

CONTROLS = some.builds(
    Controls,
    practice=some.integers(0, 3),
    gold=some.integers(0, 9),
    gold_every=some.none() | some.integers(2, 20),
)


@given(seed=some.integers(0, 99), rater=some.integers(0, 20), free=some.integers(0, 80), controls=CONTROLS)
def test_every_order_has_all_of_the_studys_items_practice_first(
    seed: int, rater: int, free: int, controls: Controls
) -> None:
    roles = list(roles_to_come(seed, rater, [], free, controls))
    assert roles.count("item") == free
    assert roles[: roles.count("practice")] == ["practice"] * (controls.practice if free else 0)
    assert roles.count("gold") <= (controls.gold if controls.gold_every else 0)
    assert not roles or roles[-1] == "item"


@given(seed=some.integers(0, 99), free=some.integers(1, 60), controls=CONTROLS, at=some.integers(0, 80))
def test_an_order_goes_on_as_it_would_have_gone(seed: int, free: int, controls: Controls, at: int) -> None:
    whole: list[Role] = list(roles_to_come(seed, 0, [], free, controls))
    past = whole[:at]
    left = Controls(
        practice=controls.practice - past.count("practice"),
        gold=controls.gold - past.count("gold"),
        gold_every=controls.gold_every,
    )
    assert list(roles_to_come(seed, 0, past, free - past.count("item"), left)) == whole[at:]


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


@given(seed=some.integers(0, 99), items=some.integers(1, 80), controls=CONTROLS)
def test_every_rater_of_a_study_gets_the_same_workload(seed: int, items: int, controls: Controls) -> None:
    each = {workload(seed, items, controls, rater=rater) for rater in range(20)}
    (one,) = each
    assert one.items == items and one.practice == controls.practice
    assert one.gold == (min(controls.gold, items // controls.gold_every) if controls.gold_every else 0)
    assert one.total == one.practice + one.rated == one.practice + items + one.gold


def test_practice_and_gold_come_on_top_and_are_told_as_a_sum() -> None:
    found = workload(7, 12, Controls(practice=2, gold=10, gold_every=6))
    assert (found.items, found.practice, found.gold) == (12, 2, 2)
    assert found.words == "12 items + 2 practice + 2 gold"
    assert workload(7, 1, Controls()).words == "1 item"
