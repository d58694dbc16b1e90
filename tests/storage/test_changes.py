"""Of two people who change the same settings at the same time, one is told that the other was faster."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from core.errors import ChangedMeanwhile
from tests.making import make_study
from ui.services.workplace import Workplace

THREADS = 8


def test_of_changes_at_the_same_moment_exactly_one_wins(birds: Workplace) -> None:
    study, start = make_study(birds, raters_per_item=1), Barrier(THREADS)

    def change(number: int) -> int | None:
        start.wait()
        try:
            birds.repository.studies.settle(study.id, study.stamp, items_per_rater=2 + number)
        except ChangedMeanwhile:
            return None
        return number

    with ThreadPoolExecutor(THREADS) as pool:
        (winner,) = [found for found in pool.map(change, range(THREADS)) if found is not None]
    assert birds.repository.studies.get(study.id).design.items_per_rater == 2 + winner
