import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from transformers import LlavaForConditionalGeneration

from core.errors import BadSetting, ModelUnavailable
from core.metrics.clip_score import CLIPScore
from core.metrics.expert import Expert
from core.metrics.fleur import Fleur
from core.models import ModelSettings, llava
from core.models import device as memory
from core.models.checkpoints import LLAVA_13B
from core.models.factual import FactualParser
from core.models.vlm import load_vlm
from core.types import ImageRef, Sample, Score
from tests.toy_llava import toy_adapter, write_adapter


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    pixels = np.random.default_rng(0).integers(0, 255, (24, 40, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "a.png")
    return Sample("1", ImageRef("a.png", tmp_path / "a.png"), "a dog")


def settings(folder: Path, **options: Any) -> ModelSettings:
    return ModelSettings(model=str(folder), device="cpu", **options)


def test_a_folder_is_loaded_and_named_in_the_signature(folder: Path, sample: Sample) -> None:
    metric = Fleur.load(settings(folder))
    (outcome,) = metric.score([sample])
    assert isinstance(outcome, Score) and outcome.signature == metric.signature()
    parts = metric.signature().split("|")
    assert f"model:{folder.name}" in parts and "dtype:float32" in parts and "template:llava_v1" in parts
    assert any(part.startswith("revision:") for part in parts)


def test_a_model_that_writes_two_digits_as_one_token_is_refused(folder: Path, tmp_path: Path) -> None:
    other = shutil.copytree(folder, tmp_path / "other")
    path = other / "tokenizer.json"
    tokenizer = json.loads(path.read_text())
    tokenizer["model"]["vocab"]["85"] = max(tokenizer["model"]["vocab"].values()) + 2
    tokenizer["model"]["merges"] = [["8", "5"]]
    path.write_text(json.dumps(tokenizer))
    with pytest.raises(BadSetting, match="ten single tokens.*scores cannot be smoothed"):
        load_vlm("FLEUR", settings(other), LLAVA_13B)


def test_missing_weights_say_what_to_run_and_how_large_they_are() -> None:
    with pytest.raises(
        ModelUnavailable, match=r"13b-hf is not on this computer.*26\.7 GB.*python app\.py models fetch FLEUR$"
    ):
        Fleur.load(ModelSettings())
    with pytest.raises(ModelUnavailable, match=r"some/model.*python app\.py models fetch FLEUR --model some/model"):
        Fleur.load(ModelSettings(model="some/model"))
    with pytest.raises(ModelUnavailable, match=r"some/clip is not on .*fetch CLIPScore --model some/clip"):
        CLIPScore.load(ModelSettings(model="some/clip"))
    with pytest.raises(ModelUnavailable, match="some/parser is not on this computer"):
        FactualParser.load(ModelSettings(model="some/parser"))


def test_an_adapter_moves_the_score_and_is_signed(folder: Path, sample: Sample, tmp_path: Path) -> None:
    (tmp_path / "adapter").mkdir()
    adapter = write_adapter(tmp_path / "adapter", *toy_adapter(LlavaForConditionalGeneration.from_pretrained(folder)))
    adapted = Expert.load(settings(folder, adapter=str(adapter)))
    plain = Expert.load(settings(folder, adapter="none"))
    assert "|adapter:adapter@" in adapted.signature() and "adapter" not in plain.signature()
    (first,), (second,) = list(adapted.score([sample])), list(plain.score([sample]))
    assert first != second


def test_a_broken_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "llava"}')
    with pytest.raises(ModelUnavailable, match="cannot be loaded from"):
        load_vlm("FLEUR", settings(tmp_path), LLAVA_13B)


def test_a_model_that_does_not_fit_is_refused_before_it_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llava, "fits_into_memory", lambda *_: False)
    with pytest.raises(ModelUnavailable, match="does not fit into memory"):
        load_vlm("FLEUR", settings(folder), LLAVA_13B)


def test_running_out_of_memory_at_work_says_what_to_do() -> None:
    with pytest.raises(ModelUnavailable, match="smaller batch"), memory.enough_memory():
        raise torch.OutOfMemoryError("CUDA out of memory")
    with pytest.raises(RuntimeError, match="something else"), memory.enough_memory():
        raise RuntimeError("something else")


def test_a_device_that_is_not_here_is_refused(folder: Path) -> None:
    with pytest.raises(ModelUnavailable, match="cuda:99"):
        load_vlm("FLEUR", ModelSettings(model=str(folder), device="cuda:99"), LLAVA_13B)
    with pytest.raises(BadSetting, match="nonsense"):
        load_vlm("FLEUR", ModelSettings(model=str(folder), device="nonsense"), LLAVA_13B)


def test_a_chat_template_of_another_model_needs_a_server(folder: Path) -> None:
    with pytest.raises(BadSetting, match="template=chat needs a model server"):
        load_vlm("FLEUR", settings(folder, options={"template": "chat"}), LLAVA_13B)
