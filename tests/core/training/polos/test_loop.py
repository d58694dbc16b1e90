from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import AlreadyExists, BadFile, BadSetting, ModelUnavailable
from core.metrics.polos import Polos
from core.models import ModelSettings
from core.training.polos.plan import Progress, TrainingSettings, tau_c
from core.types import ImageRef, Sample, Score


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, PolosEncoder, normalised, pretrained_encoder, PolosHead, feature_width
    global TrainingFiles, predict, train_polos, make_training_sets, make_toys, save_picture
    import torch

    from core.models.polos.encoder import PolosEncoder, normalised
    from core.models.polos.load import pretrained_encoder
    from core.models.polos.model import PolosHead, feature_width
    from core.training.polos.loop import TrainingFiles, predict, train_polos
    from core.training.polos.samples import make_training_sets
    from tests.polos_toys import make_toys, save_picture


WORDS = ("dog", "cat", "man", "kite", "bed", "grass", "runs", "sleeps", "holds", "red", "blue", "small")
SETTINGS = TrainingSettings(epochs=6, batch_size=16, learning_rate=2e-3, patience=6, hidden_sizes=(24, 12))
Watch = Callable[[Progress], None]


class Killed(Exception):
    """Stands for the process being killed."""


def ignore(progress: Progress) -> None:
    """Show nothing."""


def synthetic(count: int, pictures: list[Path], seed: int) -> list[Sample]:
    """People like candidates that share words with a reference: half of the score, and half with the other."""
    rng = random.Random(seed)
    samples = []
    for number in range(count):
        reference = rng.sample(WORDS, 4)
        shared = rng.randint(0, 4)
        candidate = reference[:shared] + rng.sample([word for word in WORDS if word not in reference], 4 - shared)
        others = [" ".join(rng.sample(WORDS, 2)) for _ in range(rng.randint(0, 2))]
        picture = rng.choice(pictures)
        image = ImageRef(picture.name, picture)
        texts = (" ".join(reference), *others)
        samples.append(Sample(f"{seed}-{number}", image, " ".join(candidate), texts, human=shared / 4))
    return samples


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> PolosEncoder:
    toys = make_toys(tmp_path_factory.mktemp("toys"))
    return pretrained_encoder("cpu", str(toys.roberta), str(toys.clip))


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("pictures")
    return [save_picture(folder / f"{number}.png", seed=number) for number in range(5)]


@pytest.fixture(scope="module")
def learning(pictures: list[Path]) -> list[Sample]:
    return synthetic(240, pictures, seed=1)


@pytest.fixture(scope="module")
def judging(pictures: list[Path]) -> list[Sample]:
    return synthetic(80, pictures, seed=2)


@pytest.fixture(scope="module")
def features(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("features")


def weights_of(path: Path) -> dict[str, Any]:
    state: dict[str, Any] = torch.load(path, weights_only=True)["state_dict"]
    return state


def test_training_raises_tau_on_samples_it_has_not_seen(
    encoder: PolosEncoder, learning: list[Sample], judging: list[Sample], features: Path, tmp_path: Path
) -> None:
    seen: list[Progress] = []
    files = TrainingFiles(tmp_path / "polos.ckpt", features)
    result = train_polos(learning, judging, encoder, SETTINGS, files, seen.append)
    [course] = make_training_sets([judging], encoder, features, ignore)
    torch.manual_seed(SETTINGS.seed)
    untrained = tau_c(predict(PolosHead(3, feature_width(encoder), SETTINGS.hidden_sizes), course, 16), course.human)
    epochs = [progress for progress in seen if progress.stage == "epochs trained"]
    assert untrained is not None
    assert result.tau is not None
    assert result.tau > untrained + 0.3
    assert result.tau == max(epoch.tau for epoch in epochs if epoch.tau is not None)
    losses = [epoch.loss for epoch in epochs if epoch.loss is not None]
    assert losses[-1] < losses[0]


def train_until(moment: Callable[[Progress], bool], *arguments: Any) -> None:
    """Train and be killed at the first moment of that kind."""

    def watch(progress: Progress) -> None:
        if moment(progress):
            raise Killed

    with pytest.raises(Killed):
        train_polos(*arguments, watch)


@pytest.mark.parametrize(
    "moment",
    [
        lambda progress: progress.stage == "pictures encoded",
        lambda progress: progress.stage == "epochs trained" and progress.done == 1,
        lambda progress: progress.stage == "epochs trained" and progress.done == 3,
    ],
    ids=["before the first epoch", "after the first", "after the last"],
)
def test_a_run_that_was_killed_ends_with_the_very_weights_of_one_that_was_not(
    encoder: PolosEncoder,
    learning: list[Sample],
    judging: list[Sample],
    features: Path,
    tmp_path: Path,
    moment: Callable[[Progress], bool],
) -> None:
    settings = TrainingSettings(epochs=3, batch_size=64, learning_rate=1e-2, patience=3, hidden_sizes=(24, 12))
    whole, cut = TrainingFiles(tmp_path / "whole.ckpt", features), TrainingFiles(tmp_path / "cut.ckpt", features)
    torch.manual_seed(1)
    result = train_polos(learning, judging, encoder, settings, whole, ignore)
    torch.manual_seed(2)  # another process would have drawn other random numbers before
    train_until(moment, learning, judging, encoder, settings, cut)
    torch.manual_seed(3)
    assert not cut.checkpoint.exists()
    assert train_polos(learning, judging, encoder, settings, cut, ignore) == result
    ours, theirs = weights_of(cut.checkpoint), weights_of(whole.checkpoint)
    assert ours.keys() == theirs.keys()
    assert all(torch.equal(ours[key], theirs[key]) for key in theirs)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cut.ckpt", "whole.ckpt"]


def test_a_kill_within_an_epoch_repeats_that_epoch(
    encoder: PolosEncoder, learning: list[Sample], judging: list[Sample], features: Path, tmp_path: Path
) -> None:
    settings = TrainingSettings(epochs=2, batch_size=64, learning_rate=1e-2, hidden_sizes=(24,))
    whole, cut = TrainingFiles(tmp_path / "whole.ckpt", features), TrainingFiles(tmp_path / "cut.ckpt", features)
    train_polos(learning, judging, encoder, settings, whole, ignore)
    stages: list[str] = []

    def in_the_second_epoch(progress: Progress) -> bool:
        stages.append(progress.stage)
        return "epochs trained" in stages and progress.stage == "samples learned" and progress.done > 64

    train_until(in_the_second_epoch, learning, judging, encoder, settings, cut)
    train_polos(learning, judging, encoder, settings, cut, ignore)
    ours, theirs = weights_of(cut.checkpoint), weights_of(whole.checkpoint)
    assert all(torch.equal(ours[key], theirs[key]) for key in theirs)


def test_the_trained_checkpoint_is_what_the_metric_loads(
    encoder: PolosEncoder, learning: list[Sample], judging: list[Sample], features: Path, tmp_path: Path
) -> None:
    files = TrainingFiles(tmp_path / "polos.ckpt", features)
    settings = TrainingSettings(epochs=1, batch_size=64, learning_rate=1e-2, hidden_sizes=(24, 12))
    result = train_polos(learning, judging, encoder, settings, files, ignore)
    polos = Polos.load(ModelSettings(model=str(files.checkpoint), device="cpu"))
    values = [outcome.value for outcome in polos.score(judging) if isinstance(outcome, Score)]
    tau = tau_c(np.array(values, dtype=np.float32), np.array([sample.human for sample in judging], dtype=np.float32))
    assert result.tau is not None
    assert tau == pytest.approx(result.tau, abs=1e-3)


def test_training_stops_when_tau_no_longer_rises(
    encoder: PolosEncoder, learning: list[Sample], judging: list[Sample], features: Path, tmp_path: Path
) -> None:
    settings = TrainingSettings(epochs=50, batch_size=64, learning_rate=1e-9, patience=2, hidden_sizes=(4,))
    result = train_polos(learning, judging, encoder, settings, TrainingFiles(tmp_path / "a.ckpt", features), ignore)
    assert result.best is not None
    assert result.epochs == result.best + 2 < 50


def test_features_are_computed_once(
    encoder: PolosEncoder,
    learning: list[Sample],
    judging: list[Sample],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = make_training_sets([learning, judging], encoder, tmp_path, ignore)
    monkeypatch.setattr(encoder, "encode_texts", None)
    monkeypatch.setattr(encoder, "encode_images", None)
    again = make_training_sets([learning, judging], encoder, tmp_path, ignore)
    for a, b in zip(first, again, strict=True):
        assert torch.equal(a.tables.text(a.candidates)[0], b.tables.text(b.candidates)[0])
        assert torch.equal(a.tables.picture(a.pictures), b.tables.picture(b.pictures))


def test_rows_of_a_table_are_the_features_of_their_texts(
    encoder: PolosEncoder, learning: list[Sample], features: Path
) -> None:
    [course] = make_training_sets([learning], encoder, features, ignore)
    for number in (0, 7, 239):
        alone = encoder.encode_texts([learning[number].candidate])[0]
        states, clip = course.tables.text(course.candidates[[number]])
        assert torch.allclose(states, normalised([alone]), atol=1e-5)
        assert torch.allclose(clip[0], alone.clip, atol=1e-5)


def test_the_score_learned_from_is_the_best_over_the_references(
    encoder: PolosEncoder, learning: list[Sample], features: Path
) -> None:
    [course] = make_training_sets([learning], encoder, features, ignore)
    torch.manual_seed(3)
    head = PolosHead(3, feature_width(encoder), (24,)).eval()
    single = [Sample(s.key, s.image, s.candidate, (text,), s.human) for s in learning[:20] for text in s.references]
    [alone] = make_training_sets([single], encoder, features, ignore)
    each = iter(predict(head, alone, 64).tolist())
    expected = [max(next(each) for _ in s.references) for s in learning[:20]]
    assert np.allclose(course.scores(head, np.arange(20)).detach(), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("change", "named"),
    [({"seed": 7}, "seed"), ({"learning_rate": 0.5}, "learning rate"), ({"batch_size": 8}, "batch size")],
)
def test_going_on_with_other_settings_is_refused_by_their_name(
    encoder: PolosEncoder,
    learning: list[Sample],
    judging: list[Sample],
    features: Path,
    tmp_path: Path,
    change: dict[str, Any],
    named: str,
) -> None:
    files = TrainingFiles(tmp_path / "a.ckpt", features)
    started: dict[str, Any] = {"epochs": 2, "batch_size": 64, "hidden_sizes": (4,)}
    after_one = lambda progress: progress.stage == "epochs trained"  # noqa: E731
    train_until(after_one, learning, judging, encoder, TrainingSettings(**started), files)
    with pytest.raises(BadSetting, match=named):
        train_polos(learning, judging, encoder, TrainingSettings(**(started | change)), files, ignore)
    with pytest.raises(BadSetting, match="training data"):
        train_polos(learning[1:], judging, encoder, TrainingSettings(**started), files, ignore)


def test_a_damaged_run_file_is_said_to_be_damaged(
    encoder: PolosEncoder, learning: list[Sample], judging: list[Sample], features: Path, tmp_path: Path
) -> None:
    files = TrainingFiles(tmp_path / "a.ckpt", features)
    files.run.write_bytes(b"half a file")
    with pytest.raises(BadFile, match="damaged; delete it"):
        train_polos(learning, judging, encoder, SETTINGS, files, ignore)


def test_a_checkpoint_that_is_there_already_is_not_written_over(
    encoder: PolosEncoder, learning: list[Sample], judging: list[Sample], features: Path, tmp_path: Path
) -> None:
    files = TrainingFiles(tmp_path / "a.ckpt", features)
    files.checkpoint.write_bytes(b"precious")
    with pytest.raises(AlreadyExists, match="--to"):
        train_polos(learning, judging, encoder, SETTINGS, files, ignore)
    assert files.checkpoint.read_bytes() == b"precious"


def test_encoders_of_another_kind_are_refused(tmp_path: Path) -> None:
    toys = make_toys(tmp_path)
    with pytest.raises(ModelUnavailable, match="must be of type roberta, but is clip"):
        pretrained_encoder("cpu", str(toys.clip), str(toys.clip))


@pytest.mark.parametrize("without", [("clip",), ("text",), ("differences", "products")])
def test_a_model_without_some_features_ignores_them_and_loads_like_every_other(
    encoder: PolosEncoder, learning: list[Sample], judging: list[Sample], features: Path, tmp_path: Path,
    without: tuple[str, ...],
) -> None:  # fmt: skip
    settings = TrainingSettings(epochs=2, batch_size=16, learning_rate=2e-3, hidden_sizes=(24, 12), without=without)
    files = TrainingFiles(tmp_path / "polos.ckpt", features)
    train_polos(learning, judging, encoder, settings, files, ignore)
    weight = next(
        value for key, value in weights_of(files.checkpoint).items() if key.endswith("ff.0.ff.linear_1.weight")
    )
    widths = [encoder.text_width] * 4 + [encoder.clip_width] * 6
    parts = [bool(part.any()) for part in weight.split(widths, dim=1)]
    assert parts == [place not in settings.removed for place in range(10)]
    (outcome,) = Polos.load(ModelSettings(model=str(files.checkpoint))).score(judging[:1])
    assert isinstance(outcome, Score)


@pytest.mark.parametrize("without", [("colour",), ("text", "clip")])
def test_an_unknown_ablation_or_one_that_leaves_nothing_is_refused(without: tuple[str, ...]) -> None:
    with pytest.raises(BadSetting, match="without"):
        TrainingSettings(without=without)
