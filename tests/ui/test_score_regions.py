"""`annotate` and `score HICE-S --dataset`: regions go from file to score."""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.captions.reading.phrases import CaptionPhrase
from core.errors import ModelUnavailable
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.models import hice as hice_parts
from core.models.hice import HiceParts
from core.regions.annotated import SampleRegions
from core.types import Score
from tests.command_line import Run, command_line
from tests.core.fakes import LetterEncoder
from tests.making import picture
from ui.services.importing.annotations import annotate
from ui.services.importing.importing import import_files
from ui.services.scoring import score_runs, scoring_plan
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

asked: list[str] = []


class WordPhrases:
    name = "words"

    def phrases(self, captions: Sequence[str]) -> list[tuple[CaptionPhrase, ...]]:
        return [tuple(self._words(caption)) for caption in captions]

    def _words(self, caption: str) -> list[CaptionPhrase]:
        starts = [caption.index(word) for word in caption.split()]
        return [CaptionPhrase(w, (s, s + len(w)), "relation") for w, s in zip(caption.split(), starts, strict=True)]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line; the neural parts of HICE are fakes, and what regions they were asked for is noted."""
    asked.clear()

    def parts(settings: ModelSettings) -> HiceParts:
        asked.append(settings.options.get("regions", "mobile-sam"))
        file = Path(asked[-1])
        regions = hice_parts.annotated(str(file)) if file.is_file() else SampleRegions()
        return HiceParts(WordPhrases(), regions, LetterEncoder())

    monkeypatch.setattr(hice_parts, "load_parts", parts)

    return command_line(tmp_path / "data", capsys)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Two pictures with two captions each, of which the first has regions."""
    images = [{"id": n, "file_name": f"{n}.png", "height": 48, "width": 64} for n in (1, 2)]
    for n in (1, 2):
        picture(tmp_path / "pictures" / f"{n}.png", ["red", "blue"][n - 1])
    captions = [
        {"id": 10 * n + i, "image_id": n, "caption": text} for n in (1, 2) for i, text in enumerate(["dog", "hum"])
    ]
    shape = [2, 2, 30, 2, 30, 30, 2, 30]
    regions = [{"image_id": 1, "category_id": 1, "segmentation": [shape]}]
    for name, document in {
        "captions": {"images": images, "annotations": captions},
        "instances": {"images": images, "annotations": regions, "categories": [{"id": 1, "name": "dog"}]},
    }.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(document))
    return tmp_path / "captions.json", tmp_path / "instances.json", tmp_path / "pictures"


def test_annotate_says_in_words_and_in_json_what_it_did(run: Run, files: tuple[Path, Path, Path]) -> None:
    captions, instances, pictures = files
    run("import", "coco-captions", captions, "--images", pictures, "--dataset", "coco")
    code, out, _ = run("annotate", "coco", instances)
    assert (code, out) == (
        0, "coco: added 1 region to 1 picture;\n  1 of 2 pictures have annotated regions.\n"
    )  # fmt: skip
    counts = json.loads(run("annotate", "coco", instances, "--json")[1])
    assert counts == {
        "dataset": "coco", "pictures": 2, "annotated": 1, "annotated_added": 0, "regions_added": 0, "skipped": []
    }  # fmt: skip
    code, _, message = run("annotate", "wrens", instances)
    assert code == 2 and "wrens" in message


def test_a_data_set_with_annotations_is_scored_with_them(run: Run, files: tuple[Path, Path, Path]) -> None:
    captions, instances, pictures = files
    run("import", "coco-captions", captions, "--images", pictures, "--dataset", "coco")
    run("annotate", "coco", instances)
    code, out, message = run("score", "HICE-S", "--dataset", "coco", "--json")
    report = json.loads(out)
    assert code == 0, message
    assert (report["scored"], report["errors"]) == (2, 2)
    ((kind, count, example),) = (one.values() for one in report["error_kinds"])
    assert (kind, count) == ("missing_regions", 2) and "2.png" in example
    assert "regions:annotated" in report["signature"]
    assert asked == ["sample"]
    log = [one.deed + " " + one.object for one in opened(files).repository.audit.all()]
    done = ["data imported data set coco, coco-captions", "pictures annotated data set coco"]
    assert log == [*done, "scored data set coco by HICE-S"]


def test_a_caption_is_scored_by_the_regions_of_a_file(run: Run, files: tuple[Path, Path, Path]) -> None:
    _, instances, pictures = files
    asked_for = ("--caption", "dog hum", "--option", f"regions={instances}")
    result = run("score", "HICE-S", "--image", pictures / "1.png", *asked_for, "--json").json
    assert [p["mark"] for p in result["explanation"]["phrases"]] == ["correct", "incorrect"]
    regions = result["explanation"]["regions"]
    assert [(r["label"], r["mentioned"]) for r in regions] == [("dog", True), (None, True)]
    assert {"gITC", "lITC", "precision", "recall"} <= set(result["components"])
    assert "regions:instances.json@" in result["signature"]
    without = run("score", "HICE-S", "--image", picture(pictures / "other.png"), *asked_for)
    assert without.code == 3 and "missing_regions" in without.err


def opened(files: tuple[Path, Path, Path]) -> Workplace:
    return open_workplace(Settings(data_dir=files[0].parent / "data"))


@pytest.mark.parametrize(
    ("dataset_has", "options", "found"),
    [(False, [], "mobile-sam"), (True, ["--option", "regions=other.json"], "other.json")],
)
def test_other_regions_are_taken_where_there_are_none_or_where_they_are_asked_for(
    run: Run, files: tuple[Path, Path, Path], dataset_has: bool, options: Sequence[str], found: str
) -> None:
    captions, instances, pictures = files
    run("import", "coco-captions", captions, "--images", pictures, "--dataset", "coco")
    if dataset_has:
        run("annotate", "coco", instances)
    run("score", "HICE-S", "--dataset", "coco", *options)
    assert asked == [found]


def test_a_data_set_without_regions_is_told_how_it_gets_some_before_what_to_download(
    run: Run, files: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(settings: ModelSettings) -> HiceParts:
        raise ModelUnavailable("fetch weights")

    monkeypatch.setattr(hice_parts, "load_parts", missing)
    run("import", "coco-captions", files[0], "--dataset", "coco")
    ran = run("score", "HICE-S", "--dataset", "coco")
    assert re.fullmatch(r"Error: .*annotate coco instances.json.*fetch weights\n", ran.err)


@pytest.mark.weights
def test_the_captions_of_annotated_coco_pictures_are_scored_and_beat_others(shared_dir: Path, tmp_path: Path) -> None:
    folder = shared_dir / "data" / "coco"
    place = open_workplace(Settings(data_dir=tmp_path / "data"))
    imported = import_files(place, "coco-captions", [folder / "captions_subset.json"], "coco", [folder / "images"])
    counts = annotate(place, "coco", folder / "instances_subset.json").counts
    assert (imported.counts.samples, counts.annotated, counts.regions_added) == (230, 39, 385)
    evaluator = Evaluator()
    plan = scoring_plan.plan_scoring(place, evaluator, "HICE-S", "coco", ModelSettings(device="cpu"))
    done = score_runs.run_scoring(place, evaluator, plan)
    assert (done.scored, done.errors) == (195, 35)
    assert "encoder:labels/" in done.signature and "regions:annotated" in done.signature
    stored = [place.repository.samples.get(one.id) for one in plan.wanted]
    own = {one.id: one.outcomes[0] for one in stored if isinstance(one.outcomes[0], Score)}
    captioned, draw = [one for one in stored if one.id in own], random.Random(0)
    samples = list({one.image_id: one for one in captioned}.values())  # a caption of each picture
    others = [draw.choice([b for b in captioned if b.image_id != a.image_id]) for a in samples]
    swapped = [replace(a.sample, candidate=b.sample.candidate) for a, b in zip(samples, others, strict=True)]
    foreign = list(evaluator.evaluate("HICE-S", swapped, plan.settings))
    values = np.array(
        [(own[a.id].value, b.value) for a, b in zip(samples, foreign, strict=True) if isinstance(b, Score)]
    )
    assert len(values) == 39
    assert (values[:, 0] > values[:, 1]).mean() >= 0.95
    place.repository.close()
