"""`expert build-sft` and `expert train` as people run them: files in, a kill on the way, an adapter that scores.

The loops' own tests (core/training) stop them at every kind of moment.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from app import main
from core.metrics.expert import Expert
from core.models import ModelSettings
from core.types import ImageRef, Sample, Score


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, CAPTIONS, SCORES, eight_pictures, reasons, tiny_llava
    import torch

    from tests.core.models.sft_tiny import CAPTIONS, SCORES, eight_pictures, reasons, tiny_llava


SETTINGS = "--rank 32 --alpha 64 --dropout 0 --batch 4 --micro-batch 4 --learning-rate 5e-3 --device cpu"
SHORT, WHOLE = ("--epochs", "4"), ("--epochs", "60")  # 8 steps, to be compared; 120, after which all is learned


@dataclass(frozen=True)
class Workshop:
    """A folder with a base model, pictures and training data."""

    folder: Path

    def train(self, to: str, *more: str) -> list[str]:
        """Return the arguments of a training run."""
        data, base, images = (str(self.folder / name) for name in ("sft.jsonl", "base", "images"))
        places = ["--base", base, "--images", images, "--to", str(self.folder / to)]
        return ["expert", "train", data, *places, *SETTINGS.split(), *more]


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    folder = tmp_path_factory.mktemp("workshop")
    (folder / "images" / "Polaris").mkdir(parents=True)
    eight_pictures(folder / "images" / "Polaris")
    for part in tiny_llava():
        part.save_pretrained(folder / "base")
    rows = [exp_row(number, score) for number, score in enumerate(SCORES)]
    (folder / "polaris_exp.json").write_text(json.dumps([*rows[:-1], {**rows[-1], "score": 0.96}]))
    (folder / "nebula_exp.json").write_text(json.dumps([{**rows[-1], "id": "again", "score": 1.0}]))
    files = [str(folder / name) for name in ("polaris_exp.json", "nebula_exp.json")]
    assert main(["expert", "build-sft", *files, "--to", str(folder / "sft.jsonl")], {}) == 0
    return Workshop(folder)


def exp_row(number: int, score: float) -> dict[str, object]:
    caption = f"{CAPTIONS[number]} {CAPTIONS[number]}"
    return {"id": f"train_{number}", "imgid": str(number), "mt": caption, "score": score, "explanation": reasons(score)}


def told(workshop: Workshop, to: str, *more: str, at: Callable[[str], object] = str) -> list[tuple[int, float]]:
    """Run the command; returns the step and the loss of every line on standard error. at: sees each text at once."""
    with pytest.MonkeyPatch.context() as patch:
        printed: list[str] = []

        def write(text: str) -> int:
            printed.append(text)
            at(text)
            return len(text)

        patch.setattr(sys.stderr, "write", write)
        assert main(workshop.train(to, *more), {}) == 0
    lines = re.findall(r"step (\d+) of \d+, loss ([\d.]+), \d+:\d\d:\d\d left", "".join(printed))
    return [(int(step), float(loss)) for step, loss in lines]


@pytest.fixture(scope="module")
def trained(workshop: Workshop) -> Path:
    """The folder of an adapter that has learned its lessons by heart."""
    assert told(workshop, "adapter", *WHOLE)[-1][1] < 0.05
    return workshop.folder / "adapter"


def test_a_killed_run_goes_on_and_its_adapter_is_that_of_one_that_was_not_killed(workshop: Workshop) -> None:
    whole, killed = workshop.folder / "whole", workshop.folder / "killed"

    def leave_behind(text: str) -> None:
        """Keep what lies on the disk after the fifth step: just this a kill would leave."""
        if text.startswith("step 5 of"):
            shutil.copytree(whole, killed)

    every = (*SHORT, "--checkpoint-every", "2")
    assert [step for step, _ in told(workshop, "whole", *every, at=leave_behind)] == list(range(1, 9))
    assert [path.name for path in killed.iterdir()] == ["checkpoint.pt"]
    assert [step for step, _ in told(workshop, "killed", *SHORT)] == [5, 6, 7, 8]
    names = ["adapter_config.json", "adapter_model.safetensors", "training.json"]
    assert sorted(path.name for path in killed.iterdir()) == names
    assert all((killed / name).read_bytes() == (whole / name).read_bytes() for name in names[1:])


def test_the_metric_with_the_adapter_answers_what_it_was_taught(trained: Path, workshop: Workshop) -> None:
    settings = ModelSettings(
        model=str(workshop.folder / "base"),
        adapter=str(trained),
        device="cpu",
        batch_size=3,
        explain=True,
        options={"feed": "raw"},  # the explanation is told the score as it was taught, not smoothed
    )
    images = workshop.folder / "images" / "Polaris"
    samples = [
        Sample(word, ImageRef(f"{number}.png", images / f"{number}.png"), f"{word} {word}")
        for number, word in enumerate(CAPTIONS)
    ]
    scores = [outcome for outcome in Expert.load(settings).score(samples) if isinstance(outcome, Score)]
    assert [score.components["raw"] for score in scores] == list(SCORES)
    assert [score.value for score in scores] == pytest.approx(SCORES, abs=0.05)
    assert [score.explanation.rationales for score in scores] == [reasons(score) for score in SCORES]


def test_the_command_line_scores_with_the_adapter(
    trained: Path, workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = workshop.folder / "images" / "Polaris" / "3.png"
    model = ["--model", str(workshop.folder / "base"), "--device", "cpu"]
    asked = ["--image", str(picture), "--caption", "horse horse", "--explain", "--json"]
    assert main(["score", "EXPERT", *model, "--adapter", str(trained), *asked], {}) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["components"]["raw"] == 0.4
    assert "|adapter:adapter@" in answer["signature"]


def test_a_finished_adapter_is_not_trained_over(workshop: Workshop, capsys: pytest.CaptureFixture[str]) -> None:
    (workshop.folder / "finished").mkdir()
    (workshop.folder / "finished" / "adapter_config.json").touch()
    assert main(workshop.train("finished"), {}) == 2
    assert "contains a finished adapter; choose another folder with --to" in capsys.readouterr().err


def test_other_settings_than_the_interrupted_run_had_are_refused(
    workshop: Workshop, capsys: pytest.CaptureFixture[str]
) -> None:
    (workshop.folder / "changed").mkdir()
    torch.save({"run": {"alpha": "2"}}, workshop.folder / "changed" / "checkpoint.pt")
    assert main(workshop.train("changed"), {}) == 2
    assert "belongs to a training run with alpha 2, but this run has 64; " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--base", "llava-hf/llava-1.5-13b-hf"], "is not on this computer"),
        (["--images", "/nowhere"], "The folder /nowhere does not exist"),
        (["--rank", "0"], "training setting rank: must be 1 or more, found 0"),
        (["--to", f"{__file__}/adapter"], "Capscope cannot write into this folder (Not a directory)"),
        (["--checkpoint-every", "0"], "must be at least 1 step"),
    ],
)
def test_a_mistake_is_one_line(
    workshop: Workshop, capsys: pytest.CaptureFixture[str], more: list[str], message: str
) -> None:
    assert main(workshop.train("mistake", *more), {}) == 2
    err = capsys.readouterr().err
    assert message in err and err.count("\n") == 1


def test_build_sft_tells_how_many_rows_were_duplicates(
    workshop: Workshop, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files = [str(workshop.folder / name) for name in ("polaris_exp.json", "nebula_exp.json")]
    assert main(["expert", "build-sft", *files, "--to", str(tmp_path / "sft.jsonl")], {}) == 0
    assert "Wrote 8 conversations" in capsys.readouterr().out
    assert (tmp_path / "sft.jsonl").read_text().count("\n") == 8


def test_an_unknown_wording_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["expert", "build-sft", "a.json", "--to", str(tmp_path / "b"), "--wording", "mine"], {}) == 2
    assert "--wording must be code or paper, found 'mine'" in capsys.readouterr().err
