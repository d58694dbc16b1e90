"""The settings of training, the samples of each step and its learning rate."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadSetting
from core.training.expert.plan import TrainingSettings, batch_of, learning_rate_of, seed_of, step_count

PAPER = TrainingSettings()


def test_the_defaults_are_the_papers() -> None:
    assert (PAPER.rank, PAPER.alpha, PAPER.epochs, PAPER.batch_size) == (128, 256, 1, 8)
    assert (PAPER.learning_rate, PAPER.weight_decay, PAPER.warmup) == (2e-5, 0.0, 0.03)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("rank", 0),
        ("epochs", 0),
        ("batch_size", -8),
        ("dropout", 1.0),
        ("warmup", 1.1),
        ("learning_rate", 0.0),
        ("learning_rate", float("nan")),
        ("weight_decay", -0.1),
        ("seed", -1),
    ],
)
def test_a_setting_out_of_range_is_named_with_what_was_expected(setting: str, value: Any) -> None:
    with pytest.raises(BadSetting, match=f"{setting}: must be .*, found {value}"):
        TrainingSettings(**{setting: value})


def test_the_learning_rate_rises_then_falls_to_almost_nothing() -> None:
    rates = [learning_rate_of(step, 8, TrainingSettings(warmup=0.5, learning_rate=1.0)) for step in range(8)]
    assert rates[:5] == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert rates[5:] == pytest.approx([0.853553, 0.5, 0.146447], abs=1e-6)


def test_a_short_run_without_a_whole_step_of_warm_up_still_has_one_as_in_the_trainer() -> None:
    assert learning_rate_of(0, 10, PAPER) == 0.0
    assert learning_rate_of(1, 10, PAPER) == 2e-5


def test_without_warm_up_the_first_step_has_the_full_rate() -> None:
    assert learning_rate_of(0, 10, TrainingSettings(warmup=0.0)) == 2e-5


settings_of_any_size = st.builds(
    TrainingSettings, epochs=st.integers(1, 3), batch_size=st.integers(1, 9), seed=st.integers(0, 9)
)


@given(st.integers(1, 40), settings_of_any_size)
def test_every_epoch_takes_every_sample_once(samples: int, settings: TrainingSettings) -> None:
    steps = step_count(samples, settings)
    batches = [batch_of(step, samples, settings) for step in range(steps)]
    assert Counter(index for batch in batches for index in batch) == {i: settings.epochs for i in range(samples)}
    assert all(1 <= len(batch) <= settings.batch_size for batch in batches)
    an_epoch = steps // settings.epochs
    assert sorted(sum(batches[:an_epoch], [])) == list(range(samples))


def test_epochs_and_seeds_shuffle_differently_and_always_alike() -> None:
    whole = TrainingSettings(epochs=2, batch_size=100)
    first, second = (batch_of(step, 100, whole) for step in range(2))
    assert first != second
    assert first == batch_of(0, 100, whole)
    assert first != batch_of(0, 100, TrainingSettings(batch_size=100, seed=1))


def test_steps_have_seeds_of_their_own() -> None:
    assert len({seed_of(step, PAPER) for step in range(100)}) == 100
    assert seed_of(3, PAPER) == seed_of(3, PAPER)
