"""Searching samples, against a filter that looks at every sample in turn."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.types import EvaluationError, Outcome, Score
from storage.data.samples import Samples
from storage.types import Search, StoredSample
from tests.making import import_rows, rows
from ui.services.workplace import open_workplace
from ui.settings import Settings

VALUES = (-1.5, 0.0, 0.25, 0.5, 0.75, 1.0, 2.5)
JUDGES = ("Alpha", "Beta", "Gamma")  # Gamma has judged nothing


def outcomes(chance: random.Random) -> Iterator[Outcome]:
    """Draw none, one or two outcomes of each judge; some are errors."""
    for metric in JUDGES[:2]:
        for number in range(chance.randrange(3)):
            mark = f"{metric}|settings:{number}"
            if chance.random() < 0.25:
                yield EvaluationError(metric, mark, "no_score", "It said nothing.")
            else:
                yield Score(metric, chance.choice(VALUES), mark, (-2.0, 3.0))


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Samples]:
    """Two data sets of 15 samples, without pictures, with outcomes drawn by chance."""
    folder, chance = tmp_path_factory.mktemp("search"), random.Random(5)
    workplace = open_workplace(Settings(data_dir=folder / "data"))
    for name in ("one", "two"):
        given = [row | {"image": "missing.png", "scores": []} for row in rows(15)]
        import_rows(workplace, folder, given, name)
    found = workplace.repository.samples.search(Search(), 0, 99).samples
    for stored in found:
        for outcome in outcomes(chance):
            workplace.repository.scores.save(stored.id, outcome)
    yield workplace.repository.samples
    workplace.repository.close()


def matches(stored: StoredSample, wanted: Search) -> bool:
    """Whether a search finds a sample, the slow way."""
    if wanted.dataset is not None and stored.dataset != wanted.dataset:
        return False
    texts = (stored.sample.candidate, stored.sample.key, stored.sample.image.name)
    if not any(wanted.text.strip().casefold() in text.casefold() for text in texts):
        return False
    if wanted.metric is None:
        return True
    bounded = (wanted.lowest, wanted.highest) != (None, None)
    for outcome in stored.outcomes:
        if outcome.metric != wanted.metric:
            continue
        if isinstance(outcome, EvaluationError):
            if not bounded:
                return True
            continue
        if (wanted.lowest is None or outcome.value >= wanted.lowest) and (
            wanted.highest is None or outcome.value <= wanted.highest
        ):
            return True
    return False


bounds = st.none() | st.sampled_from(VALUES) | st.floats(-3, 3)
searches = st.builds(
    Search,
    dataset=st.sampled_from([None, "one", "two", "three"]),
    text=st.sampled_from(["", "  ", "number 3", "NUMBER 1", "secretkey-7", "missing", "%", "_"]),
    metric=st.sampled_from([None, *JUDGES]),
    lowest=bounds,
    highest=bounds,
)


@pytest.fixture(scope="module")
def everything(samples: Samples) -> tuple[StoredSample, ...]:
    """Every sample, in order."""
    return samples.search(Search(), 0, 99).samples


@settings(max_examples=100)
@given(wanted=searches, offset=st.integers(0, 30), limit=st.integers(1, 30))
def test_a_search_finds_what_a_naive_filter_finds(
    samples: Samples, everything: tuple[StoredSample, ...], wanted: Search, offset: int, limit: int
) -> None:
    expected = [stored for stored in everything if matches(stored, wanted)]
    found = samples.search(wanted, offset, limit)
    assert found.total == len(expected)
    assert list(found.samples) == expected[offset : offset + limit]


def test_an_error_has_no_value_and_is_within_no_bound(samples: Samples) -> None:
    only_errors = [
        stored.id
        for stored in samples.search(Search(metric="Alpha"), 0, 99).samples
        if all(isinstance(one, EvaluationError) for one in stored.outcomes if one.metric == "Alpha")
    ]
    assert only_errors
    for wanted in (Search(metric="Alpha", lowest=-1e9), Search(metric="Alpha", highest=1e9)):
        assert not set(only_errors) & {stored.id for stored in samples.search(wanted, 0, 99).samples}


def test_both_bounds_hold_for_one_and_the_same_score(samples: Samples) -> None:
    """A score below and another one above do not make a sample that lies between."""
    for stored in samples.search(Search(metric="Beta", lowest=0.25, highest=0.5), 0, 99).samples:
        values = [one.value for one in stored.outcomes if isinstance(one, Score) and one.metric == "Beta"]
        assert any(0.25 <= value <= 0.5 for value in values)


def test_bounds_without_a_metric_exclude_nothing(samples: Samples) -> None:
    assert samples.search(Search(lowest=5.0), 0, 99).total == 30


def test_bounds_that_contradict_each_other_find_nothing(samples: Samples) -> None:
    assert samples.search(Search(metric="Alpha", lowest=1.0, highest=0.0), 0, 99).total == 0
