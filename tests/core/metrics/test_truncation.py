"""Scores of captions that are longer than an encoder reads. Tokenizers are the real classes, at toy size."""

from pathlib import Path
from typing import Any

import pytest

from core.metrics import Metric
from core.metrics.clip_score import CLIPScore, RefCLIPScore
from core.metrics.polos import Polos
from core.models import ModelSettings
from core.types import ImageRef, Sample, Score

SHORT, LONG = "a dog.", "a dog runs on the grass near two old men who sit at a table and look at the sea. " * 6


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ModelSettings]:
    """Settings for each metric, in a folder with a picture."""
    import torch

    from core.models.polos import PolosHead
    from tests.polos_toys import lightning_checkpoint, make_toys, save_picture

    folder = tmp_path_factory.mktemp("toys")
    save_picture(folder / "a.png", 1)
    models = make_toys(folder)
    head = PolosHead(layers=3, width=4 * 64 + 6 * 16, hidden_sizes=(24, 12))
    torch.save(lightning_checkpoint(models, head.state_dict()), folder / "toy.ckpt")
    clip = ModelSettings(model=str(models.clip), device="cpu")
    options = {"roberta": str(models.roberta), "clip": str(models.clip)}
    polos = ModelSettings(model=str(folder / "toy.ckpt"), options=options, device="cpu")
    return {"CLIPScore": clip, "RefCLIPScore": clip, "Polos": polos}


@pytest.mark.parametrize(
    ("kind", "read"),
    [(CLIPScore, (77, 381)), (RefCLIPScore, (77, 381)), (Polos, (62, 488))],
    ids=["CLIPScore", "RefCLIPScore", "Polos"],
)
def test_scores_say_which_texts_were_longer_than_an_encoder_reads(
    toys: dict[str, ModelSettings], kind: type[Metric], read: tuple[int, int]
) -> None:
    settings = toys[kind.name]
    picture = ImageRef("a.png", Path(settings.model or "").parent / "a.png")
    metric = kind.load(settings)

    def scored(caption: str, *references: str) -> Any:
        (outcome,) = metric.score([Sample("s", picture, caption, references)])
        assert isinstance(outcome, Score), outcome
        return outcome

    cut = scored(LONG, SHORT, LONG, LONG)
    assert cut.components["truncated"] == read
    assert cut.components.get("truncated_references") == (2 if kind.requires_references else None)
    assert scored(LONG + " and more", SHORT, LONG, LONG).value == pytest.approx(cut.value, abs=1e-6)
    assert not {"truncated", "truncated_references"} & scored(SHORT, SHORT).components.keys()


def test_the_label_encoder_counts_tokens_beyond_its_limit() -> None:
    from tokenizers.implementations import BertWordPieceTokenizer

    from core.models.minilm import LabelEncoder

    words = {word: n for n, word in enumerate("[PAD] [UNK] [CLS] [SEP] a dog".split())}
    cutting = BertWordPieceTokenizer(words)
    cutting.enable_truncation(5)
    encoder = LabelEncoder(None, cutting)  # type: ignore[arg-type]
    assert encoder.tokens_read("a dog a dog a dog a") == (5, 9)
    assert encoder.tokens_read("a dog a") == (5, 5)
