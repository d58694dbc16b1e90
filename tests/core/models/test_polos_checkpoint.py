from __future__ import annotations

import argparse
import json
import os
import pickle
import re
import shutil
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import BadImage, BadSetting, ModelUnavailable
from core.images.pictures import open_rgb
from core.models import ModelSettings
from core.models import weights as availability
from core.models.checkpoints import POLOS
from core.models.clip import clip_from_openai, clip_transform, to_transformers
from core.models.device import torch_device


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, fingerprint, read_checkpoint, write_checkpoint, PolosEncoder, normalised, load_polos
    global pretrained_encoder, PolosHead, PolosModel, feature_vector, feature_width, Toys
    global lightning_checkpoint, make_toys, save_picture, to_openai_layout
    import torch

    from core.models.polos import PolosEncoder, PolosHead, PolosModel, feature_vector, feature_width, normalised
    from core.models.polos_checkpoint import (
        fingerprint,
        load_polos,
        pretrained_encoder,
        read_checkpoint,
        write_checkpoint,
    )
    from tests.polos_toys import Toys, lightning_checkpoint, make_toys, save_picture, to_openai_layout


CANDIDATE, REFERENCES = "a dog runs.", ("a dog is running on the grass", "a brown dog", "two cats sleep.")


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Toys:
    return make_toys(tmp_path_factory.mktemp("toys"))


@pytest.fixture(scope="module")
def head(toys: Toys) -> PolosHead:
    torch.manual_seed(5)
    return PolosHead(layers=3, width=4 * 64 + 6 * 16, hidden_sizes=(24, 12)).eval()


@pytest.fixture(scope="module")
def picture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_picture(tmp_path_factory.mktemp("pictures") / "one.png", seed=1)


def saved(path: Path, content: Any) -> Path:
    torch.save(content, path)
    return path


def load(path: Path, toys: Toys) -> PolosModel:
    options = {"roberta": str(toys.roberta), "clip": str(toys.clip)}
    return load_polos(ModelSettings(model=str(path), device="cpu", options=options))


def naive_score(toys: Toys, head: PolosHead, picture: Path, candidate: str, reference: str) -> float:
    """Polos for one pair, straight from transformers' own models and the equations."""
    from transformers import AutoTokenizer

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


def test_a_lightning_checkpoint_loads_and_scores_as_the_equations_say(
    toys: Toys, head: PolosHead, picture: Path, tmp_path: Path
) -> None:
    model = load(saved(tmp_path / "toy.ckpt", lightning_checkpoint(toys, head.state_dict())), toys)
    scores = model.estimate(model.image_features(picture)[None], [CANDIDATE], [REFERENCES])
    expected = [naive_score(toys, head, picture, CANDIDATE, reference) for reference in REFERENCES]
    assert np.allclose(scores, [expected], atol=1e-5)
    assert np.diff(np.sort(expected)).min() > 1e-4


def test_clip_in_openais_layout_gives_the_features_of_transformers_own(toys: Toys) -> None:
    ours = clip_from_openai(to_openai_layout(toys.clip_model)).eval()
    pixels = torch.rand(2, 3, 32, 32, generator=torch.Generator().manual_seed(0))
    ids = torch.tensor([[56, 3, 9, 57], [56, 4, 57, 0]])
    with torch.no_grad():
        for name, inputs in (
            ("get_image_features", {"pixel_values": pixels}),
            ("get_text_features", {"input_ids": ids}),
        ):
            theirs = getattr(toys.clip_model, name)(**inputs).pooler_output
            assert torch.allclose(getattr(ours, name)(**inputs).pooler_output, theirs, atol=1e-6)


@pytest.mark.parametrize(("patch", "places"), [(32, 50), (16, 197)])
def test_the_patch_size_is_read_off_the_first_weights(toys: Toys, patch: int, places: int) -> None:
    state = to_openai_layout(toys.clip_model)
    state["visual.conv1.weight"] = torch.zeros(64, 3, patch, patch)
    state["visual.positional_embedding"] = torch.zeros(places, 64)
    vision = clip_from_openai(state).config.vision_config
    assert (vision.patch_size, vision.image_size) == (patch, 224)


def test_no_key_of_openais_clip_is_left_unmapped(toys: Toys) -> None:
    assert set(to_transformers(to_openai_layout(toys.clip_model))) == set(toys.clip_model.state_dict())


def test_a_checkpoint_with_a_foreign_weight_is_refused_by_its_name(toys: Toys, head: PolosHead, tmp_path: Path) -> None:
    content = lightning_checkpoint(toys, head.state_dict())
    content["state_dict"]["estimator.bias"] = torch.zeros(1)
    with pytest.raises(ModelUnavailable, match=r"1 weights do not belong to Polos, for example estimator\.bias"):
        load(saved(tmp_path / "toy.ckpt", content), toys)


@pytest.mark.parametrize(
    "key", ["ff.0.ff.linear_2.weight", "clip.ln_final.bias", "encoder.model.embeddings.LayerNorm.bias"]
)
def test_a_checkpoint_that_lacks_a_weight_is_refused(toys: Toys, head: PolosHead, tmp_path: Path, key: str) -> None:
    content = lightning_checkpoint(toys, head.state_dict())
    del content["state_dict"][key]
    with pytest.raises(ModelUnavailable, match="not the weights of Polos"):
        load(saved(tmp_path / "toy.ckpt", content), toys)


@pytest.mark.parametrize("key", ["encoder.model.extra", "clip.visual.extra", "ff.0.ff.extra"])
def test_a_foreign_weight_inside_a_part_is_refused(toys: Toys, head: PolosHead, tmp_path: Path, key: str) -> None:
    content = lightning_checkpoint(toys, head.state_dict())
    content["state_dict"][key] = torch.zeros(1)
    with pytest.raises(ModelUnavailable, match="extra"):
        load(saved(tmp_path / "toy.ckpt", content), toys)


class Exploit:
    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.system, ("touch exploited",)


def test_a_checkpoint_that_would_run_code_is_refused_and_nothing_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = saved(tmp_path / "evil.ckpt", {"state_dict": {}, "callbacks": Exploit()})
    with pytest.raises(ModelUnavailable, match="contains more than weights"):
        read_checkpoint(path)
    assert not (tmp_path / "exploited").exists()


def test_what_lightning_says_of_its_own_run_is_passed_over(
    toys: Toys, head: PolosHead, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lightning 1.x keys callbacks by class, and keeps settings as a kind of dict of its own."""
    module = types.ModuleType("pytorch_lightning.callbacks")
    early_stopping = type("EarlyStopping", (), {"__module__": module.__name__})
    attributes = type("AttributeDict", (dict,), {"__module__": module.__name__})
    vars(module).update(EarlyStopping=early_stopping, AttributeDict=attributes)
    content = lightning_checkpoint(toys, head.state_dict())
    content["callbacks"] = {early_stopping: {"best_score": torch.tensor(0.5), "wait": 1}}
    content["hyper_parameters"] = attributes(hidden_sizes="24,12", best=np.float64(0.1))
    content["hparams"] = argparse.Namespace(pool="cls")
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "pytorch_lightning", types.ModuleType("pytorch_lightning"))
        patched.setitem(sys.modules, module.__name__, module)
        path = saved(tmp_path / "toy.ckpt", content)
    assert set(read_checkpoint(path).head) == set(head.state_dict())


@pytest.mark.parametrize("content", [b"", b"not a checkpoint", pickle.dumps({"state_dict": {}}, protocol=2)])
def test_a_file_that_is_no_checkpoint_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "broken.ckpt"
    path.write_bytes(content)
    with pytest.raises(ModelUnavailable, match=r"broken\.ckpt"):
        read_checkpoint(path)


@pytest.mark.parametrize("content", [[1, 2], {"weights": {}}, {"state_dict": {"ff.0": "text"}}])
def test_a_checkpoint_without_weights_is_refused(tmp_path: Path, content: Any) -> None:
    with pytest.raises(ModelUnavailable, match="no Lightning checkpoint"):
        read_checkpoint(saved(tmp_path / "other.ckpt", content))


def test_a_missing_checkpoint_says_what_to_download(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"reprod\.zip.*--model"):
        load_polos(ModelSettings(model=str(tmp_path / "none.ckpt")))


def test_missing_tokenizers_say_what_to_run(toys: Toys, head: PolosHead, tmp_path: Path) -> None:
    path = saved(tmp_path / "toy.ckpt", lightning_checkpoint(toys, head.state_dict()))
    with pytest.raises(ModelUnavailable, match="hf download"):
        load_polos(ModelSettings(model=str(path), options={"roberta": str(tmp_path / "nowhere")}))


def test_a_checkpoint_of_our_own_keeps_configurations_and_weights(
    toys: Toys, head: PolosHead, picture: Path, tmp_path: Path
) -> None:
    encoder = pretrained_encoder("cpu", str(toys.roberta), str(toys.clip))
    write_checkpoint(tmp_path / "own.ckpt", encoder, head)
    model = load_polos(ModelSettings(model=str(tmp_path / "own.ckpt"), device="cpu"))
    scores = model.estimate(model.image_features(picture)[None], [CANDIDATE], [REFERENCES[:1]])
    assert abs(float(scores[0, 0]) - naive_score(toys, head, picture, CANDIDATE, REFERENCES[0])) < 1e-5
    assert re.fullmatch("own.ckpt@[0-9a-f]{12}", model.weights)


@pytest.mark.parametrize("part", ["encoder.model.", "clip.", "ff."])
def test_a_weight_changed_anywhere_in_the_model_changes_its_name(
    toys: Toys, head: PolosHead, tmp_path: Path, part: str
) -> None:
    content = lightning_checkpoint(toys, head.state_dict())
    before = load(saved(tmp_path / "toy.ckpt", content), toys).weights
    assert load(saved(tmp_path / "toy.ckpt", content), toys).weights == before
    key = next(key for key in content["state_dict"] if key.startswith(part) and key.endswith(".weight"))
    content["state_dict"][key] = content["state_dict"][key] + 0.01
    assert load(saved(tmp_path / "toy.ckpt", content), toys).weights != before


def test_other_words_in_a_tokenizer_change_the_name(toys: Toys, head: PolosHead, tmp_path: Path) -> None:
    path = saved(tmp_path / "toy.ckpt", lightning_checkpoint(toys, head.state_dict()))
    other = shutil.copytree(toys.clip, tmp_path / "clip")
    words = json.loads((other / "tokenizer.json").read_text())
    vocabulary = words["model"]["vocab"]
    vocabulary["b"], vocabulary["d"] = vocabulary["d"], vocabulary["b"]
    (other / "tokenizer.json").write_text(json.dumps(words))
    options = {"roberta": str(toys.roberta), "clip": str(other)}
    assert load_polos(ModelSettings(model=str(path), device="cpu", options=options)).weights != load(path, toys).weights


def test_what_is_called_present_is_what_is_loaded(
    toys: Toys, head: PolosHead, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(availability, "WEIGHTS_FOLDER", tmp_path)
    settings = ModelSettings(device="cpu", options={"roberta": str(toys.roberta), "clip": str(toys.clip)})
    with pytest.raises(ModelUnavailable, match=f"no checkpoint at {tmp_path}"):
        load_polos(settings)
    assert [state.folder for state in availability.availability("Polos", [POLOS])] == [None]
    saved(tmp_path / POLOS.repo, lightning_checkpoint(toys, head.state_dict()))
    assert [state.folder for state in availability.availability("Polos", [POLOS])] == [tmp_path]
    assert load_polos(settings).weights.startswith("reprod.ckpt@")


def test_other_weights_have_another_fingerprint(head: PolosHead) -> None:
    state = dict(head.state_dict())
    changed = state | {"scalar_mix.gamma": state["scalar_mix.gamma"] + 1e-6}
    assert fingerprint(state) != fingerprint(changed)
    assert fingerprint(state) == fingerprint(dict(reversed(state.items())))


@pytest.fixture(scope="module")
def encoder(toys: Toys) -> PolosEncoder:
    return pretrained_encoder("cpu", str(toys.roberta), str(toys.clip))


def test_texts_encoded_together_have_the_features_of_texts_encoded_alone(encoder: PolosEncoder) -> None:
    texts = ["a dog", "a cat", "a longer text than that", "", "a dog"]
    for together, text in zip(encoder.encode_texts(texts), texts, strict=True):
        alone = encoder.encode_texts([text])[0]
        assert together.count == alone.count
        assert torch.allclose(normalised([together]), normalised([alone]), atol=1e-5)
        assert torch.allclose(together.clip, alone.clip, atol=1e-5)


def test_a_text_longer_than_the_models_can_read_is_cut(encoder: PolosEncoder) -> None:
    features = encoder.encode_texts(["a dog runs " * 40])[0]
    assert features.count == 62 * 64
    assert torch.isfinite(features.clip).all()


def test_the_feature_vector_has_ten_parts_in_the_order_of_the_published_weights(encoder: PolosEncoder) -> None:
    r, c = torch.tensor([[2.0]]), torch.tensor([[5.0]])
    v, ct, rt = torch.tensor([[7.0]]), torch.tensor([[11.0]]), torch.tensor([[13.0]])
    assert feature_vector(r, c, v, ct, rt).tolist() == [[2, 5, 3, 10, 7, 11, 4, 77, 2, 143]]
    assert feature_width(encoder) == 4 * 64 + 6 * 16


def test_a_picture_that_cannot_be_opened_is_named(toys: Toys, head: PolosHead, tmp_path: Path) -> None:
    model = load(saved(tmp_path / "toy.ckpt", lightning_checkpoint(toys, head.state_dict())), toys)
    with pytest.raises(BadImage, match=r"none\.png"):
        model.image_features(tmp_path / "none.png")


def test_a_picture_that_changed_on_disk_is_encoded_again(toys: Toys, head: PolosHead, tmp_path: Path) -> None:
    model = load(saved(tmp_path / "toy.ckpt", lightning_checkpoint(toys, head.state_dict())), toys)
    path = save_picture(tmp_path / "one.png", seed=1)
    before = model.image_features(path)
    save_picture(path, seed=2)
    os.utime(path, ns=(1, 1))
    assert not np.allclose(before, model.image_features(path))


def test_a_gpu_that_is_not_there_is_said_to_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    assert torch_device("auto").type == "cpu"
    with pytest.raises(ModelUnavailable, match="no GPU"):
        torch_device("cuda:1")


def test_an_option_that_there_is_not_is_refused_by_its_name() -> None:
    with pytest.raises(BadSetting, match="no option 'w'"):
        load_polos(ModelSettings(options={"w": "3"}))
