"""`polos train` from a CSV and a folder of pictures to a checkpoint that Polos loads, with tiny real encoders."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pytest

from app import main
from core.metrics.polos import Polos
from core.models import ModelSettings
from core.types import ImageRef, Sample, Score


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, Toys, make_toys, save_picture
    import torch

    from tests.polos_toys import Toys, make_toys, save_picture


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Toys:
    return make_toys(tmp_path_factory.mktemp("toys"))


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    for number in range(4):
        save_picture(folder / f"{number}.jpg", seed=number)
    return folder


def write_polaris(path: Path, rows: int, seed: int) -> Path:
    rng = random.Random(seed)
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["mt", "refs", "score", "imgid"])
        for _ in range(rows):
            texts = [" ".join(rng.sample(["dog", "cat", "runs", "sleeps", "bed"], 2)) for _ in range(3)]
            table.writerow([texts[0], repr(texts[1:]), rng.choice([0, 0.25, 0.5, 0.75, 1]), f"{rng.randrange(4)}.jpg"])
    return path


def arguments(toys: Toys, data: Path, pictures: Path, to: Path) -> list[str]:
    given = {"--data": data, "--images": pictures, "--to": to, "--roberta": toys.roberta, "--clip": toys.clip}
    return [
        "polos",
        "train",
        *(str(part) for pair in given.items() for part in pair),
        "--device",
        "cpu",
        "--epochs",
        "2",
    ]


def test_training_from_files_writes_a_checkpoint_that_polos_loads(
    toys: Toys, pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, to = write_polaris(tmp_path / "polaris_train.csv", 40, seed=1), tmp_path / "polos.ckpt"
    val = write_polaris(tmp_path / "polaris_val.csv", 20, seed=2)
    assert main([*arguments(toys, data, pictures, to), "--val", str(val), "--json"], {}) == 0
    printed = capsys.readouterr()
    result = json.loads(printed.out)
    assert (result["checkpoint"], result["samples"], result["validation"], result["epochs"]) == (str(to), 40, 20, 2)
    assert "epoch 2: mean squared error" in printed.err
    polos = Polos.load(ModelSettings(model=str(to), device="cpu"))
    [outcome] = polos.score([Sample("1", ImageRef("0.jpg", pictures / "0.jpg"), "dog runs", ("cat sleeps",))])
    assert isinstance(outcome, Score)


def test_without_a_validation_file_a_tenth_of_the_pictures_is_held_out(
    toys: Toys, pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = write_polaris(tmp_path / "polaris.csv", 40, seed=1)
    assert main([*arguments(toys, data, pictures, tmp_path / "polos.ckpt"), "--json"], {}) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["samples"] + result["validation"] == 40
    assert 2 <= result["validation"] < 20


def test_a_missing_picture_a_bad_row_and_missing_encoders_are_one_line_each(
    toys: Toys, pictures: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, to = write_polaris(tmp_path / "polaris.csv", 40, seed=1), tmp_path / "polos.ckpt"
    elsewhere = arguments(toys, data, pictures, to)
    elsewhere[elsewhere.index(str(toys.clip))] = str(tmp_path / "nowhere")
    assert main(elsewhere, {}) == 2
    assert "hf download" in capsys.readouterr().err
    (pictures / "2.jpg").unlink()
    assert main([*arguments(toys, data, pictures, to), "--val", str(data)], {}) == 2
    assert "2.jpg" in capsys.readouterr().err
    data.write_text("mt,refs,score,imgid\na dog,__import__('os').abort(),0.5,1.jpg\n")
    assert main(arguments(toys, data, pictures, to), {}) == 2
    assert "polaris.csv, row 2, field refs" in capsys.readouterr().err
    assert not to.exists()


def test_a_setting_out_of_range_is_refused_before_anything_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    missing = str(tmp_path / "none")
    train = ["polos", "train", "--data", missing, "--images", missing, "--to", missing, "--learning-rate", "0"]
    assert main(train, {}) == 2
    assert "learning rate: expected above 0" in capsys.readouterr().err
