"""Polos from checkpoint to score, with tiny real models."""

import argparse
import json
import os
import shutil
import sys
import types
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer

from core.errors import BadSetting, ModelUnavailable
from core.images.pictures import open_rgb
from core.metrics.polos import Polos
from core.models import ModelSettings
from core.models.clip import clip_transform
from core.models.polos import PolosEncoder, PolosHead, pretrained_encoder, read_checkpoint, write_checkpoint
from core.types import EvaluationError, ImageRef, Sample, Score
from tests.polos_toys import Toys, lightning_checkpoint, save_picture

CANDIDATE, REFERENCES = "a dog runs.", ("a dog is running on the grass", "a brown dog", "two cats sleep.")


@pytest.fixture(scope="module")
def head(toys: Toys) -> PolosHead:
    torch.manual_seed(5)
    return PolosHead(layers=3, width=4 * 64 + 6 * 16, hidden_sizes=(24, 12)).eval()


@pytest.fixture(scope="module")
def encoder(toys: Toys) -> PolosEncoder:
    return pretrained_encoder("cpu", str(toys.roberta), str(toys.clip))


@pytest.fixture
def content(toys: Toys, head: PolosHead) -> Any:
    return lightning_checkpoint(toys, head.state_dict())


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_picture(tmp_path_factory.mktemp("pictures") / "one.png", seed=1)


def settings(path: Path, toys: Toys, **more: Any) -> ModelSettings:
    options = {"roberta": str(toys.roberta), "clip": str(toys.clip)}
    return ModelSettings(model=str(path), device="cpu", options=options, **more)


def load(content: Any, path: Path, toys: Toys) -> Polos:
    torch.save(content, path)
    return Polos.load(settings(path, toys))


def sample(picture: Path | None, candidate: str = CANDIDATE, references: tuple[str, ...] = REFERENCES) -> Sample:
    return Sample(candidate, ImageRef("one.png", picture), candidate, references)


def score(metric: Polos, *samples: Sample) -> list[Score]:
    outcomes = list(metric.score(samples))
    assert all(isinstance(outcome, Score) for outcome in outcomes), outcomes
    return [outcome for outcome in outcomes if isinstance(outcome, Score)]


def naive_score(toys: Toys, head: PolosHead, picture: Path, candidate: str, reference: str) -> float:
    """Polos for one pair, straight from transformers' own models and the equations."""
    words, clip_words = AutoTokenizer.from_pretrained(toys.roberta), AutoTokenizer.from_pretrained(toys.clip)
    weights = torch.cat(list(head.scalar_mix.scalar_parameters)).softmax(0)

    def sentence(text: str) -> Any:
        states = toys.roberta_model(**words(text, return_tensors="pt"), output_hidden_states=True).hidden_states
        normal = [(h - h.mean()) / (h.var(unbiased=False) + 1e-12).sqrt() for h in states]
        return head.scalar_mix.gamma * sum(w * h[0, 0] for w, h in zip(weights, normal, strict=True))

    def clip_text(text: str) -> Any:
        ids = clip_words("A photo depicts " + text, return_tensors="pt").input_ids
        return toys.clip_model.get_text_features(input_ids=ids).pooler_output[0]

    with torch.no_grad():
        pixels = clip_transform(32)(open_rgb(picture))[None]
        v = toys.clip_model.get_image_features(pixel_values=pixels).pooler_output[0]
        c, r, ct, rt = sentence(candidate), sentence(reference), clip_text(candidate), clip_text(reference)
        parts = [r, c, abs(c - r), c * r, v, ct, abs(v - ct), v * ct, abs(rt - ct), rt * ct]
        return float(head.ff(torch.cat(parts)[None]))


def test_the_score_is_that_of_the_closest_reference_by_the_equations(
    toys: Toys, head: PolosHead, content: Any, picture: Path, tmp_path: Path
) -> None:
    metric = load(content, tmp_path / "toy.ckpt", toys)
    expected = [naive_score(toys, head, picture, CANDIDATE, reference) for reference in REFERENCES]
    (found,) = score(metric, sample(picture))
    assert found.components["per_reference"] == pytest.approx(expected, abs=1e-5)
    assert found.value == max(found.components["per_reference"])  # type: ignore[arg-type]
    assert found.signature.startswith("Polos|layer_norm:sample|model:toy.ckpt@")
    assert np.diff(np.sort(expected)).min() > 1e-4


def test_a_score_does_not_depend_on_other_samples_and_no_further_reference_lowers_it(
    toys: Toys, content: Any, picture: Path, tmp_path: Path
) -> None:
    metric = load(content, tmp_path / "toy.ckpt", toys)
    samples = [sample(picture, text, REFERENCES[:n]) for n, text in enumerate((CANDIDATE, "two cats.", "grass"), 1)]
    forth, back = score(metric, *samples), score(metric, *samples[::-1])[::-1]
    assert [one.value for one in forth] == [one.value for one in back]
    for n, one in enumerate(samples):
        assert score(Polos.load(settings(tmp_path / "toy.ckpt", toys)), one)[0].value == forth[n].value
        (more,) = score(metric, replace(one, references=(*one.references, "a kite")))
        assert more.value >= forth[n].value


def test_strict_batches_share_a_layer_norm_and_the_fewest_references_and_lose_only_bad_pictures(
    toys: Toys, content: Any, picture: Path, tmp_path: Path
) -> None:
    plain = load(content, tmp_path / "toy.ckpt", toys)
    strict = Polos.load(settings(tmp_path / "toy.ckpt", toys, strict_reference=True, batch_size=3))
    samples = [sample(picture), sample(None), sample(picture, "grass", REFERENCES[:2])]
    first, lost, last = strict.score(samples)
    assert isinstance(first, Score) and isinstance(last, Score) and isinstance(lost, EvaluationError)
    assert lost.kind == "missing_image" and "layer_norm:batch of 3" in first.signature
    assert len(first.components["per_reference"]) == 2  # type: ignore[arg-type]
    assert abs(first.value - score(plain, samples[0])[0].value) > 1e-4
    (broken,) = strict.score([sample(tmp_path / "toy.ckpt")])
    assert isinstance(broken, EvaluationError) and broken.kind == "bad_image"


@pytest.mark.parametrize("key", ["estimator.bias", "encoder.model.extra", "clip.visual.extra", "ff.0.ff.extra"])
def test_a_foreign_weight_is_refused_by_its_name(toys: Toys, content: Any, tmp_path: Path, key: str) -> None:
    content["state_dict"][key] = torch.zeros(1)
    with pytest.raises(ModelUnavailable, match=key.rpartition(".")[2]):
        load(content, tmp_path / "toy.ckpt", toys)


@pytest.mark.parametrize("key", ["ff.0.ff.linear_2.weight", "clip.ln_final.bias"])
def test_a_checkpoint_that_lacks_a_weight_is_refused(toys: Toys, content: Any, tmp_path: Path, key: str) -> None:
    del content["state_dict"][key]
    with pytest.raises(ModelUnavailable, match="not the weights of Polos"):
        load(content, tmp_path / "toy.ckpt", toys)


def test_what_lightning_says_of_its_own_run_is_passed_over(
    content: Any, head: PolosHead, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lightning 1.x keys callbacks by class, and keeps settings as a kind of dict of its own."""
    module = types.ModuleType("pytorch_lightning.callbacks")
    early_stopping = type("EarlyStopping", (), {"__module__": module.__name__})
    attributes = type("AttributeDict", (dict,), {"__module__": module.__name__})
    vars(module).update(EarlyStopping=early_stopping, AttributeDict=attributes)
    content["callbacks"] = {early_stopping: {"best_score": torch.tensor(0.5), "wait": 1}}
    content["hyper_parameters"] = attributes(hidden_sizes="24,12", best=np.float64(0.1))
    content["hparams"] = argparse.Namespace(pool="cls")
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "pytorch_lightning", types.ModuleType("pytorch_lightning"))
        patched.setitem(sys.modules, module.__name__, module)
        torch.save(content, tmp_path / "toy.ckpt")
    assert set(read_checkpoint(tmp_path / "toy.ckpt")[0]["head"]) == set(head.state_dict())


def test_what_is_missing_is_said_with_what_to_get(
    toys: Toys, content: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ModelUnavailable, match=r"--model.*models fetch Polos"):
        Polos.load(ModelSettings(model=str(tmp_path / "none.ckpt")))
    with pytest.raises(BadSetting, match="no option 'w'"):
        Polos.load(ModelSettings(options={"w": "3"}))
    monkeypatch.setattr("core.models.checkpoints.WEIGHTS_FOLDER", tmp_path)
    with pytest.raises(ModelUnavailable, match=f"no checkpoint at {tmp_path}"):
        Polos.load(ModelSettings())
    torch.save(content, tmp_path / "reprod.ckpt")
    options = {"roberta": str(toys.roberta), "clip": str(toys.clip)}
    assert "reprod.ckpt@" in Polos.load(ModelSettings(device="cpu", options=options)).signature()
    with pytest.raises(ModelUnavailable, match="neither an existing folder"):
        Polos.load(ModelSettings(options={"roberta": str(tmp_path / "nowhere")}))


def test_a_checkpoint_of_our_own_keeps_configurations_and_weights(
    toys: Toys, encoder: PolosEncoder, head: PolosHead, picture: Path, tmp_path: Path
) -> None:
    write_checkpoint(tmp_path / "own.ckpt", encoder, head)
    metric = Polos.load(ModelSettings(model=str(tmp_path / "own.ckpt"), device="cpu"))
    (found,) = score(metric, sample(picture, references=REFERENCES[:1]))
    assert abs(found.value - naive_score(toys, head, picture, CANDIDATE, REFERENCES[0])) < 1e-5


@pytest.mark.parametrize("part", ["encoder.model.", "clip.", "ff.", "words"])
def test_a_weight_or_a_word_changed_anywhere_changes_the_signature(
    toys: Toys, content: Any, tmp_path: Path, part: str
) -> None:
    before = load(content, tmp_path / "toy.ckpt", toys).signature()
    assert load(content, tmp_path / "toy.ckpt", toys).signature() == before
    if part == "words":
        other = shutil.copytree(toys.clip, tmp_path / "clip")
        words = json.loads((other / "tokenizer.json").read_text())
        vocabulary = words["model"]["vocab"]
        vocabulary["b"], vocabulary["d"] = vocabulary["d"], vocabulary["b"]
        (other / "tokenizer.json").write_text(json.dumps(words))
        toys = replace(toys, clip=other)
    else:
        key = next(key for key in content["state_dict"] if key.startswith(part) and key.endswith(".weight"))
        content["state_dict"][key] = content["state_dict"][key] + 0.01
    assert load(content, tmp_path / "toy.ckpt", toys).signature() != before


def test_a_picture_that_changed_on_disk_is_encoded_again(toys: Toys, content: Any, tmp_path: Path) -> None:
    metric, path = load(content, tmp_path / "toy.ckpt", toys), save_picture(tmp_path / "one.png", seed=1)
    (before,) = score(metric, sample(path))
    save_picture(path, seed=2)
    os.utime(path, ns=(1, 1))
    assert score(metric, sample(path))[0].value != before.value
