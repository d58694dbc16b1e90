from collections import Counter
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from core.studies.planning.orders import panel_order

panels = st.integers(1, 6)
number = st.integers(0, 200)
steps = st.integers(0, 60)


def spread(orders: Iterable[tuple[int, ...]], k: int) -> int:
    """Return how far apart the counts of panel by place are."""
    counts = Counter((place, panel) for order in orders for place, panel in enumerate(order))
    every = [counts[place, panel] for place in range(k) for panel in range(k)]
    return max(every) - min(every)


@given(panels, number, number)
def test_an_order_holds_every_panel_once(k: int, item: int, rater: int) -> None:
    assert sorted(panel_order(k, item, rater)) == list(range(k))


@given(panels, number, steps)
def test_a_rater_meets_every_panel_at_every_place_equally_often_after_any_number_of_items(
    k: int, rater: int, items: int
) -> None:
    assert spread((panel_order(k, item, rater) for item in range(items)), k) <= 1


@given(panels, number, steps)
def test_an_item_shows_every_panel_at_every_place_equally_often_after_any_number_of_raters(
    k: int, item: int, raters: int
) -> None:
    assert spread((panel_order(k, item, rater) for rater in range(raters)), k) <= 1


def test_three_panels_stand_in_these_orders_for_the_first_rater() -> None:
    assert [panel_order(3, item, 0) for item in range(4)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1)]
