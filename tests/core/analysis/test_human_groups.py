import numpy as np

from core.analysis.score_table import FIFTHS, human_groups

NAN = float("nan")


def test_a_few_levels_are_the_groups() -> None:
    found = human_groups(np.array([0.1, 0.2, 0.3]), np.array([2.0, 1.0, NAN]))
    assert (found.names, found.of.tolist()) == (("1", "2"), [1, 0, -1])


def test_without_levels_judgement_is_cut_into_fifths() -> None:
    human = np.array([0.0, 0.19, 0.2, 0.99, 1.0, NAN])
    found = human_groups(human, np.full(6, NAN))
    assert (found.names, found.of.tolist()) == (FIFTHS, [0, 0, 1, 4, 4, -1])
