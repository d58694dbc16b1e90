"""`train polos`, `train expert` and `train merge` at toy size: files in, weights out, and scores with them."""

import csv
import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

from app import main
from core.metrics.expert import Expert, explanation_answer
from core.metrics.polos import Polos
from core.models import ModelSettings
from core.types import ImageRef, Sample, Score


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global sft_tiny, polos_toys, training
    import core.training.expert as training
    from tests import polos_toys
    from tests.core.models import sft_tiny


def polaris(path: Path, rows: int, seed: int) -> Path:
    rng = random.Random(seed)
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["mt", "refs", "score", "imgid"])
        for _ in range(rows):
            texts = [" ".join(rng.sample(["dog", "cat", "runs", "sleeps", "bed"], 2)) for _ in range(3)]
            table.writerow([texts[0], repr(texts[1:]), rng.choice([0, 0.25, 0.5, 0.75, 1]), f"{rng.randrange(4)}.jpg"])
    return path


def test_polos_is_trained_from_judgements_and_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    toys, pictures = polos_toys.make_toys(tmp_path / "toys"), tmp_path / "images"
    pictures.mkdir()
    for number in range(4):
        polos_toys.save_picture(pictures / f"{number}.jpg", seed=number)
    data, to = polaris(tmp_path / "polaris_train.csv", 40, seed=1), tmp_path / "polos.ckpt"
    command = ["train", "polos", str(data), "--images", str(pictures), "--to", str(to), "--device", "cpu"]
    command += ["--roberta", str(toys.roberta), "--clip", str(toys.clip), "--epochs", "2", "--batch-size", "16"]
    assert main([*command, "--val", str(polaris(tmp_path / "polaris_val.csv", 20, seed=2))], {}) == 0
    assert "after 2 epochs" in capsys.readouterr().out
    polos = Polos.load(ModelSettings(model=str(to), device="cpu"))
    [outcome] = polos.score([Sample("1", ImageRef("0.jpg", pictures / "0.jpg"), "dog runs", ("cat sleeps",))])
    assert isinstance(outcome, Score)
    assert main(command, {}) == 2 and "already exists" in capsys.readouterr().err


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workshop")
    (folder / "images" / "Polaris").mkdir(parents=True)
    sft_tiny.eight_pictures(folder / "images" / "Polaris")
    for part in sft_tiny.tiny_llava():
        part.save_pretrained(folder / "base")
    (folder / "polaris_exp.json").write_text(json.dumps(sft_tiny.eight_rows()))
    again = sft_tiny.eight_rows()[-1] | {"id": "again", "score": 0.92}
    (folder / "nebula_exp.json").write_text(json.dumps([again]))
    return folder


def train(workshop: Path, to: str, *more: str) -> int:
    files = [str(workshop / name) for name in ("polaris_exp.json", "nebula_exp.json")]
    places = ["--base", str(workshop / "base"), "--images", str(workshop / "images"), "--to", str(workshop / to)]
    options = "--rank 32 --alpha 64 --dropout 0 --batch 4 --micro-batch 4 --learning-rate 5e-3 --device cpu".split()
    return main(["train", "expert", *files, *places, *options, *more], {})


def test_expert_learns_its_lessons_and_its_adapter_scores_and_merges(
    workshop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert train(workshop, "adapter", "--epochs", "60") == 0
    assert {"adapter_config.json", "adapter_model.safetensors", "training.json"} <= {
        path.name for path in (workshop / "adapter").iterdir()
    }
    settings = ModelSettings(
        model=str(workshop / "base"), adapter=str(workshop / "adapter"), device="cpu", explain=True
    )
    path = workshop / "images" / "Polaris" / "3.jpg"
    [outcome] = Expert.load(settings).score([Sample("3", ImageRef("3.jpg", path), "horse horse")])
    assert isinstance(outcome, Score) and outcome.components["raw"] == 0.4
    assert explanation_answer(outcome.explanation.rationales) == explanation_answer(sft_tiny.reasons(0.4))
    assert train(workshop, "adapter") == 2 and "contains a finished adapter" in capsys.readouterr().err
    merging = ["train", "merge", str(workshop / "adapter"), "--base", str(workshop / "base"), "--dtype", "float32"]
    assert main([*merging, "--to", str(workshop / "merged")], {}) == 0
    merged = Expert.load(ModelSettings(model=str(workshop / "merged"), adapter="none", device="cpu", explain=True))
    [same] = merged.score([Sample("3", ImageRef("3.jpg", path), "horse horse")])
    assert isinstance(same, Score) and same.value == pytest.approx(outcome.value, abs=1e-6)


def test_equal_captions_of_one_picture_are_one_lesson_with_their_mean(workshop: Path) -> None:
    files = [workshop / "polaris_exp.json", workshop / "nebula_exp.json"]
    found = training.lessons(files)
    assert [lesson.score for lesson in found] == ["0.0", "0.1", "0.3", "0.4", "0.5", "0.7", "0.9", "1.0"]
    assert found[0].picture == "Polaris/0.jpg" and "Caption: dog dog\n" in found[0].question


def test_scores_are_rounded_to_the_nearest_tenth() -> None:
    assert [training.binned(Fraction(score)) for score in ("0.25", "0.24", "0.95", "1")] == ["0.3", "0.2", "1.0", "1.0"]
