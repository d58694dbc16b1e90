"""Polos from checkpoint to score with tiny real models: what a sample is scored with does not move its score."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.metrics.polos import Polos
from core.models import ModelSettings
from core.types import ImageRef, Sample, Score


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, PolosHead, lightning_checkpoint, make_toys, save_picture
    import torch

    from core.models.polos import PolosHead
    from tests.polos_toys import lightning_checkpoint, make_toys, save_picture


CAPTIONS = ("a dog runs", "two cats sleep on a bed.", "a", "the man, who smiles, holds a kite", "grass")


@pytest.fixture(scope="module")
def model_settings(tmp_path_factory: pytest.TempPathFactory) -> ModelSettings:
    folder = tmp_path_factory.mktemp("polos")
    toys = make_toys(folder)
    torch.manual_seed(7)
    head = PolosHead(layers=3, width=4 * 64 + 6 * 16, hidden_sizes=(24, 12))
    torch.save(lightning_checkpoint(toys, head.state_dict()), folder / "toy.ckpt")
    options = {"roberta": str(toys.roberta), "clip": str(toys.clip)}
    return ModelSettings(model=str(folder / "toy.ckpt"), device="cpu", options=options)


@pytest.fixture(scope="module")
def polos(model_settings: ModelSettings) -> Polos:
    return Polos.load(model_settings)


@pytest.fixture(scope="module")
def in_order(polos: Polos, samples: list[Sample]) -> dict[str, float]:
    """The samples' scores, judged in their own order."""
    return scored(polos, samples)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    folder = tmp_path_factory.mktemp("pictures")
    pictures = [save_picture(folder / f"{n}.png", seed=n, size=(40 + n, 50 - n)) for n in range(3)]
    references = [CAPTIONS[1:], CAPTIONS[:1], CAPTIONS[2:4], CAPTIONS[:3], CAPTIONS[3:]]
    return [
        Sample(str(n), ImageRef(pictures[n % 3].name, pictures[n % 3]), CAPTIONS[n], tuple(references[n]))
        for n in range(5)
    ]


def scored(metric: Polos, samples: list[Sample]) -> dict[str, float]:
    outcomes = list(metric.score(samples))
    return {s.key: o.value for s, o in zip(samples, outcomes, strict=True) if isinstance(o, Score)}


@given(order=st.permutations(range(5)))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_order_of_samples_leaves_every_score_exactly_as_it_is(
    polos: Polos, samples: list[Sample], in_order: dict[str, float], order: list[int]
) -> None:
    assert scored(polos, [samples[n] for n in order]) == in_order


def test_a_sample_scored_alone_by_a_fresh_model_has_exactly_the_score_it_has_among_others(
    model_settings: ModelSettings, samples: list[Sample], in_order: dict[str, float]
) -> None:
    for sample in samples:
        assert scored(Polos.load(model_settings), [sample]) == {sample.key: in_order[sample.key]}


@pytest.mark.parametrize("further", CAPTIONS)
def test_a_further_reference_never_lowers_a_real_score(
    polos: Polos, samples: list[Sample], in_order: dict[str, float], further: str
) -> None:
    for sample in samples:
        more = Sample(sample.key, sample.image, sample.candidate, (*sample.references, further))
        assert scored(polos, [more])[sample.key] >= in_order[sample.key]


def test_strict_reference_lets_a_batch_move_its_scores(model_settings: ModelSettings, samples: list[Sample]) -> None:
    strict = Polos.load(
        ModelSettings(
            model=model_settings.model,
            device="cpu",
            batch_size=5,
            strict_reference=True,
            options=model_settings.options,
        )
    )
    together, alone = scored(strict, samples), scored(strict, samples[:1])
    assert abs(together["0"] - alone["0"]) > 1e-4
    assert "layer_norm:batch of 5" in strict.signature()


def test_every_score_is_within_the_scale(polos: Polos, samples: list[Sample]) -> None:
    values = np.array(list(scored(polos, samples).values()))
    assert len(values) == 5
    assert ((values >= 0) & (values <= 1)).all()
