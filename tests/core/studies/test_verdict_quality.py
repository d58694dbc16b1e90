import numpy as np
import pytest

from core.studies.rater_quality.types import GOLD, ITEM, GivenItems, Verdicts
from core.studies.rater_quality.verdict_quality import VERDICTS, StudyVerdicts, verdict_quality
from core.studies.results.evidence_agreement import SentenceVerdict, evidence_agreement

# sentence of item 0 or 1 -> the verdicts of raters 0, 1, 2
SAID = (
    (0, ("right", "right", "wrong")),
    (0, ("wrong", "wrong", "wrong")),
    (0, ("right", "unclear", None)),
    (1, ("beside", None, None)),
)


def measured(roles: tuple[int, int] = (ITEM, ITEM), counts: tuple[bool, ...] = (True,) * 3) -> StudyVerdicts:
    """Measure SAID, where each rater is given both items; roles: of the two items; counts: whether raters count."""
    given = GivenItems(
        rater=np.array([0, 0, 1, 1, 2, 2]),
        role=np.array(roles * 3),
        seconds=np.ones(6),
        words=np.ones(6, dtype=np.int64),
        counts=np.repeat(counts, 2) & (np.array(roles * 3) == ITEM),
    )
    rows = [
        (2 * rater + item, unit, VERDICTS.index(verdict))
        for unit, (item, verdicts) in enumerate(SAID)
        for rater, verdict in enumerate(verdicts)
        if verdict
    ]
    return verdict_quality(given, Verdicts(*np.array(rows).T), 3)


def test_verdicts_are_counted_and_compared_with_those_of_others() -> None:
    first, second, third = measured().raters
    assert [one.sentences for one in (first, second, third)] == [4, 3, 2]
    assert [one.wrong for one in (first, second, third)] == pytest.approx([1 / 4, 1 / 3, 2 / 2])
    assert [one.compared for one in (first, second, third)] == [2 + 2 + 1, 2 + 2 + 1, 2 + 2]
    assert [one.agreed for one in (first, second, third)] == pytest.approx([3 / 5, 3 / 5, 2 / 4])


def test_alpha_is_the_one_of_the_report() -> None:
    def alpha_of(raters: range) -> float | None:
        judged = [
            SentenceVerdict(item, (unit,), (item,), str(rater), verdict, (0, 1), 1)
            for unit, (item, verdicts) in enumerate(SAID)
            for rater, verdict in enumerate(verdicts)
            if verdict and rater in raters
        ]
        return evidence_agreement(judged, draws=2)[0].value

    found = measured()
    assert found.alpha == pytest.approx(alpha_of(range(3)))
    assert found.raters[2].alpha_without == pytest.approx(alpha_of(range(2)))


def test_gold_and_raters_who_do_not_count_are_left_out() -> None:
    first, _, _ = measured(roles=(ITEM, GOLD)).raters
    assert (first.sentences, first.wrong) == (3, pytest.approx(1 / 3))
    first, second, third = measured(counts=(True, True, False)).raters
    assert (first.compared, second.compared, third.compared) == (3, 3, 4)  # who does not count is compared with others
    assert third.agreed == pytest.approx(2 / 4)


def test_nothing_is_undefined_and_not_nought() -> None:
    empty = np.zeros(0, dtype=np.int64)
    given = GivenItems(empty, empty, np.zeros(0), empty, empty.astype(bool))
    (nobody,) = verdict_quality(given, Verdicts(empty, empty, empty), 1).raters
    assert (nobody.sentences, nobody.wrong, nobody.agreed, nobody.alpha_without) == (0, None, None, None)
