"""Scores of captions that are longer than an encoder reads. Tokenizers are the real classes, at toy size."""

from pathlib import Path
from typing import Any

import pytest

from core.metrics.clip_score import PROMPT, CLIPScore, RefCLIPScore
from core.models import ModelSettings
from core.types import ImageRef, Sample, Score

SHORT, LONG = "a dog.", "a dog runs on the grass near two old men who sit at a table and look at the sea. " * 6


def one(metric: Any, sample: Sample) -> Score:
    (outcome,) = metric.score([sample])
    assert isinstance(outcome, Score), outcome
    return outcome


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from tests.polos_toys import make_toys, save_picture

    folder = tmp_path_factory.mktemp("toys")
    save_picture(folder / "a.png", 1)
    return make_toys(folder), folder / "a.png"


@pytest.fixture(scope="module")
def tokenizer(toys: Any) -> Any:
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(toys[0].clip)


def sample(picture: Path, caption: str, *references: str) -> Sample:
    return Sample("s", ImageRef("a.png", picture), caption, references)


def test_clip_score_says_how_many_tokens_of_a_long_caption_were_read(toys: Any, tokenizer: Any) -> None:
    models, picture = toys
    metric = CLIPScore.load(ModelSettings(model=str(models.clip), device="cpu"))
    longest = models.clip_model.config.text_config.max_position_embeddings
    there = len(tokenizer(PROMPT + LONG).input_ids)
    assert there > longest
    assert one(metric, sample(picture, LONG)).components["truncated"] == (longest, there)
    assert "truncated" not in one(metric, sample(picture, SHORT)).components
    assert one(metric, sample(picture, LONG)).value == one(metric, sample(picture, LONG + " and more")).value


def test_ref_clip_score_counts_references_that_were_cut(toys: Any) -> None:
    models, picture = toys
    metric = RefCLIPScore.load(ModelSettings(model=str(models.clip), device="cpu"))
    components = one(metric, sample(picture, SHORT, LONG, SHORT, LONG)).components
    assert components["truncated_references"] == 2 and "truncated" not in components


def test_polos_says_it_too(toys: Any, tmp_path: Path) -> None:
    import torch

    from core.metrics.polos import Polos
    from core.models.polos import PolosHead
    from tests.polos_toys import lightning_checkpoint

    models, picture = toys
    head = PolosHead(layers=3, width=4 * 64 + 6 * 16, hidden_sizes=(24, 12))
    torch.save(lightning_checkpoint(models, head.state_dict()), tmp_path / "toy.ckpt")
    options = {"roberta": str(models.roberta), "clip": str(models.clip)}
    metric = Polos.load(ModelSettings(model=str(tmp_path / "toy.ckpt"), options=options, device="cpu"))
    components = one(metric, sample(picture, LONG, SHORT, LONG)).components
    read, there = components["truncated"]  # type: ignore[misc]
    assert 0 < read < there and components["truncated_references"] == 1
    assert not {"truncated", "truncated_references"} & one(metric, sample(picture, SHORT, SHORT)).components.keys()


def test_the_label_encoder_counts_tokens_beyond_its_limit() -> None:
    from tokenizers.implementations import BertWordPieceTokenizer

    from core.models.minilm import LabelEncoder

    words = {word: n for n, word in enumerate("[PAD] [UNK] [CLS] [SEP] a dog".split())}
    cutting = BertWordPieceTokenizer(words)
    cutting.enable_truncation(5)
    encoder = LabelEncoder(None, cutting)  # type: ignore[arg-type]
    assert encoder.tokens_read("a dog a dog a dog a") == (5, 9)
    assert encoder.tokens_read("a dog a") == (5, 5)
