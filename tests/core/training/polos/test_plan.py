import dataclasses
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadSetting, NotEnoughSamples
from core.training.polos.plan import (
    Epoch,
    TrainingSettings,
    best_epoch,
    check_samples,
    epoch_order,
    epoch_seed,
    held_out,
    is_over,
    tau_c,
)
from core.types import ImageRef, Sample

TAUS = st.lists(st.one_of(st.none(), st.floats(-1, 1)), max_size=12)
GOOD = Sample("a#1", ImageRef("a.jpg", Path("a.jpg")), "a dog", ("a cat",), human=0.5)


def epochs(taus: list[float | None]) -> list[Epoch]:
    return [Epoch(0.1, tau) for tau in taus]


def test_the_default_settings_are_the_papers() -> None:
    settings = TrainingSettings()
    assert (settings.learning_rate, settings.batch_size, settings.patience) == (3e-5, 64, 5)
    assert settings.hidden_sizes == (2304, 1152)


@pytest.mark.parametrize(
    "wrong",
    [
        {"epochs": 0},
        {"batch_size": 0},
        {"patience": 0},
        {"learning_rate": 0.0},
        {"learning_rate": math.nan},
        {"learning_rate": math.inf},
        {"hidden_sizes": ()},
        {"hidden_sizes": (3, 0)},
        {"seed": -1},
    ],
)
def test_a_setting_out_of_its_range_is_refused_by_its_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadSetting, match=next(iter(wrong)).replace("_", " ")):
        TrainingSettings(**wrong)


def test_training_goes_on_while_tau_rises_and_stops_after_five_epochs_without() -> None:
    rising = [0.1, 0.2, 0.3]
    assert not is_over(epochs([*rising, 0.3, 0.29, 0.3, 0.1]), TrainingSettings())
    assert is_over(epochs([*rising, 0.3, 0.29, 0.3, 0.1, 0.2]), TrainingSettings())


def test_training_stops_when_no_epoch_ever_has_a_tau() -> None:
    assert not is_over(epochs([None] * 4), TrainingSettings())
    assert is_over(epochs([None] * 5), TrainingSettings())


def test_training_stops_after_the_last_epoch() -> None:
    assert is_over(epochs([0.1, 0.2]), TrainingSettings(epochs=2))
    assert not is_over(epochs([0.1]), TrainingSettings(epochs=2))


def test_of_equal_taus_the_first_epoch_is_the_best() -> None:
    assert best_epoch(epochs([None, 0.2, 0.4, 0.4, None])) == 2
    assert best_epoch(epochs([None, None])) is None


@given(TAUS)
def test_a_run_never_goes_beyond_its_patience(taus: list[float | None]) -> None:
    settings = TrainingSettings(patience=3)
    best = best_epoch(epochs(taus))
    if not is_over(epochs(taus), settings):
        assert len(taus) - (0 if best is None else best + 1) < 3
    assert best is None or taus[best] == max(tau for tau in taus if tau is not None)


@given(st.integers(1, 200), st.integers(0, 99), st.integers(0, 2**32 - 1))
def test_every_epoch_takes_every_sample_once_and_the_same_way_again(samples: int, epoch: int, seed: int) -> None:
    order = epoch_order(samples, epoch, seed)
    assert sorted(order.tolist()) == list(range(samples))
    assert np.array_equal(order, epoch_order(samples, epoch, seed))
    assert epoch_seed(epoch, seed) == epoch_seed(epoch, seed)


def test_epochs_differ_in_order_and_in_dropout() -> None:
    assert not np.array_equal(epoch_order(50, 0, 1), epoch_order(50, 1, 1))
    assert len({epoch_seed(epoch, 1) for epoch in range(20)}) == 20


@given(st.lists(st.integers(0, 30), min_size=2, max_size=60), st.integers(0, 5))
def test_no_picture_is_both_learned_from_and_validated_with(pictures: list[int], seed: int) -> None:
    samples = [
        dataclasses.replace(GOOD, key=str(number), image=ImageRef(f"{picture}.jpg"))
        for number, picture in enumerate([*pictures, 31])
    ]
    kept, held = held_out(samples, seed)
    assert kept
    assert held
    assert sorted(sample.key for sample in kept + held) == sorted(sample.key for sample in samples)
    assert not {sample.image.name for sample in kept} & {sample.image.name for sample in held}
    assert held_out(samples, seed) == (kept, held)


def test_a_tenth_of_the_pictures_is_held_out() -> None:
    samples = [dataclasses.replace(GOOD, image=ImageRef(f"{number % 50}.jpg")) for number in range(200)]
    kept, held = held_out(samples, 0)
    assert (len(kept), len(held)) == (180, 20)


def test_holding_out_needs_two_pictures() -> None:
    with pytest.raises(NotEnoughSamples, match="--val"):
        held_out([GOOD, GOOD], 0)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"human": None}, "human score"),
        ({"human": 1.5}, "human score"),
        ({"references": ()}, "references"),
        ({"image": ImageRef("gone.jpg")}, "gone.jpg"),
    ],
)
def test_a_sample_that_cannot_be_learned_from_is_named(change: dict[str, Any], named: str) -> None:
    bad = dataclasses.replace(GOOD, **change)
    with pytest.raises(BadSetting, match=f"{named}.*a#1"):
        check_samples([GOOD, bad], "training")


def test_one_sample_is_too_few() -> None:
    with pytest.raises(NotEnoughSamples, match="validation needs at least two"):
        check_samples([GOOD], "validation")


def test_tau_is_none_rather_than_nan_where_all_scores_are_tied() -> None:
    assert tau_c(np.array([0.5, 0.5], dtype=np.float32), np.array([0.0, 1.0], dtype=np.float32)) is None
    assert tau_c(np.array([0.1, 0.2], dtype=np.float32), np.array([0.0, 1.0], dtype=np.float32)) == pytest.approx(1)
