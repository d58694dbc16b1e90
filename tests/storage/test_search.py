"""Searching samples, against a filter that looks at every sample in turn."""

import random
from collections import defaultdict
from collections.abc import Iterator
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.regions import masks
from core.types import EvaluationError, Explanation, ImageRegion, Outcome, Score
from storage.data.samples import Samples
from storage.types import SampleSort, Search, StoredSample
from tests.making import import_rows, rows
from ui.services.workplace import open_workplace
from ui.settings import Settings

VALUES = (-1.5, 0.0, 0.25, 0.5, 0.75, 1.0, 2.5)
JUDGES = ("Alpha", "Beta", "Gamma")  # Gamma has judged nothing
REGIONS = ("secretpicture-1.png", "secretpicture-2.png", "secretpicture-5.png")
CODES: dict[int, set[str]] = defaultdict(set)  # of a sample


def outcomes(chance: random.Random) -> Iterator[Outcome]:
    """Draw none, one or two outcomes of each judge; some are errors."""
    for metric in JUDGES[:2]:
        for number in range(chance.randrange(3)):
            mark = f"{metric}|settings:{number}"
            if chance.random() < 0.25:
                yield EvaluationError(metric, mark, "no_score", "It said nothing.")
            else:
                texts = {"overall": "Why."} if chance.random() < 0.5 else {}
                yield Score(metric, chance.choice(VALUES), mark, (-2.0, 3.0), explanation=Explanation(texts))


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Samples]:
    """Two data sets of 15 samples: every third without its picture, some pictures with regions, outcomes by chance."""
    folder, chance = tmp_path_factory.mktemp("search"), random.Random(5)
    workplace = open_workplace(Settings(data_dir=folder / "data"))
    for name in ("one", "two"):
        given = [
            row | ({"image": "missing.png"} if n % 3 == 0 else {}) | {"scores": []} for n, row in enumerate(rows(15))
        ]
        given[4] = given[4] | {"human": None}
        given[5] = given[5] | {"caption": "É 100% a_b 'x' \\ the \"DOG\" AND a*"}
        import_rows(workplace, folder, given, name)
        region = ImageRegion(masks.encode(np.ones((48, 64), dtype=bool)), (48, 64), "all")
        workplace.repository.annotate(name, dict.fromkeys(REGIONS, (region,)))
    found = workplace.repository.samples.search(Search(), 0, 99).samples
    for stored in found:
        for outcome in outcomes(chance):
            workplace.repository.scores.save(stored.id, outcome)
        if any(outcome.metric == "Alpha" for outcome in workplace.repository.samples.get(stored.id).outcomes):
            code = "OCLD" if stored.id % 2 else "SE"
            workplace.repository.codings.set(stored.id, "Alpha", "polos", "Ann", code)
            CODES[stored.id].add(code)
    yield workplace.repository.samples
    workplace.repository.close()


def matches(stored: StoredSample, wanted: Search) -> bool:
    """Whether a search finds a sample, the slow way."""
    if wanted.dataset is not None and stored.dataset != wanted.dataset:
        return False
    texts = (stored.sample.candidate, stored.sample.key, stored.sample.image.name)
    if wanted.code not in (None, *CODES[stored.id]) or (wanted.among is not None and stored.id not in wanted.among):
        return False
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


def newest(stored: StoredSample, metric: str | None) -> Score | None:
    """Return a metric's newest outcome, where that is a score."""
    of_metric = [(id_, one) for id_, one in zip(stored.score_ids, stored.outcomes, strict=True) if one.metric == metric]
    last = max(of_metric, default=(0, None), key=lambda pair: pair[0])[1]
    return last if isinstance(last, Score) else None


def sorted_by(stored: StoredSample, wanted: Search) -> float | None:
    """What a sample is sorted by; None: it has nothing of that kind."""
    score = newest(stored, wanted.metric)
    if wanted.metric is None or wanted.sort == "imported":
        return 0.0
    if score is None:
        return None
    if wanted.sort == "score":
        return score.value
    return None if stored.sample.human is None else abs((score.value + 2) / 5 - stored.sample.human)


def in_order(found: list[StoredSample], wanted: Search) -> list[StoredSample]:
    """Sort what was found, samples without a value last, equal ones as they were imported."""
    sign = -1 if wanted.falling else 1
    values = {stored.id: sorted_by(stored, wanted) for stored in found}
    return sorted(found, key=lambda one: (values[one.id] is None, sign * round(values[one.id] or 0, 9), one.id))


TEXTS = ("", "  ", "number 3", "NUMBER 1", "secretkey-7", "missing", "0%", "a_b", '"dog"', "É", "' \\", "and a*")
bounds = st.none() | st.sampled_from(VALUES) | st.floats(-3, 3)
searches = st.builds(
    Search,
    dataset=st.sampled_from([None, "one", "two", "three"]),
    text=st.sampled_from(TEXTS),
    metric=st.sampled_from([None, *JUDGES]),
    lowest=bounds,
    highest=bounds,
    code=st.sampled_from([None, None, "SE", "OCLD", "AE"]),
    among=st.none() | st.lists(st.integers(1, 40), unique=True).map(tuple),
    sort=st.sampled_from(get_args(SampleSort)),
    falling=st.booleans(),
)


@pytest.fixture(scope="module")
def everything(samples: Samples) -> tuple[StoredSample, ...]:
    """Every sample, in order."""
    return samples.search(Search(), 0, 99).samples


@settings(max_examples=200)
@given(wanted=searches, offset=st.integers(0, 30), limit=st.integers(1, 30))
def test_a_search_finds_what_a_naive_filter_finds(
    samples: Samples, everything: tuple[StoredSample, ...], wanted: Search, offset: int, limit: int
) -> None:
    expected = in_order([stored for stored in everything if matches(stored, wanted)], wanted)
    found = samples.search(wanted, offset, limit)
    assert found.total == len(expected)
    assert list(found.samples) == expected[offset : offset + limit]
    ids = [None, *(stored.id for stored in expected), None]
    if found.samples:
        assert (found.before, found.after) == (ids[offset], ids[1 + offset + len(found.samples)])


def test_a_list_opens_on_the_page_of_a_sample_that_is_in_it(samples: Samples) -> None:
    found = samples.search(Search("two"), 0, 4, around=21)
    assert (found.offset, [one.id for one in found.samples]) == (4, [20, 21, 22, 23])
    assert samples.search(Search("one"), 8, 4, around=21).offset == 8
