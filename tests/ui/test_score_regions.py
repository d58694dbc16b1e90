"""`score HICE-S` with annotated regions, over a label encoder that needs no weights."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from core.captions.reading.phrases import CaptionPhrase
from core.models import ModelSettings
from core.models import hice as hice_parts
from core.models.hice import HiceParts
from tests.command_line import Run, command_line
from tests.core.fakes import LetterEncoder


class WordPhrases:
    name = "words"

    def tokens_read(self, caption: str) -> tuple[int, int]:
        return 0, 0

    def phrases(self, captions: Sequence[str]) -> list[tuple[CaptionPhrase, ...]]:
        return [tuple(self._words(caption)) for caption in captions]

    def _words(self, caption: str) -> list[CaptionPhrase]:
        starts = [caption.index(word) for word in caption.split()]
        return [CaptionPhrase(w, (s, s + len(w)), "relation") for w, s in zip(caption.split(), starts, strict=True)]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line; only the neural parts of HICE are fakes, the annotations are read."""

    def parts(settings: ModelSettings) -> HiceParts:
        return HiceParts(WordPhrases(), hice_parts.annotated(settings.options["regions"]), LetterEncoder())

    monkeypatch.setattr(hice_parts, "load_parts", parts)

    return command_line(tmp_path / "data", capsys)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    Image.new("RGB", (40, 30), "white").save(tmp_path / "pets.png")
    return tmp_path / "pets.png"


@pytest.fixture
def instances(tmp_path: Path) -> Path:
    shapes = {"dog": [2, 2, 12, 2, 12, 12, 2, 12], "cat": [20, 5, 35, 5, 35, 25, 20, 25]}
    document = {
        "images": [{"id": 1, "file_name": "pets.png", "height": 30, "width": 40}],
        "categories": [{"id": number, "name": name} for number, name in enumerate(shapes)],
        "annotations": [
            {"image_id": 1, "category_id": number, "segmentation": [polygon]}
            for number, polygon in enumerate(shapes.values())
        ],
    }
    (tmp_path / "instances.json").write_text(json.dumps(document))
    return tmp_path / "instances.json"


def test_json_gives_phrases_and_regions_with_their_links(run: Run, picture: Path, instances: Path) -> None:
    code, out, _ = run(
        "score", "HICE-S", "--image", picture, "--caption", "dog hum", "--option", f"regions={instances}", "--json"
    )
    result = json.loads(out)
    assert code == 0
    assert [p["mark"] for p in result["explanation"]["phrases"]] == ["correct", "incorrect"]
    assert [r["label"] for r in result["explanation"]["regions"]] == ["dog", "cat", None]
    assert [r["mentioned"] for r in result["explanation"]["regions"]] == [True, False, True]
    assert {"gITC", "lITC", "precision", "recall"} <= set(result["components"])
    assert "regions:instances.json@" in result["signature"]


def test_a_picture_that_is_not_annotated_has_no_score(run: Run, instances: Path, tmp_path: Path) -> None:
    Image.new("RGB", (40, 30)).save(tmp_path / "other.png")
    code, _, message = run(
        "score", "HICE-S", "--image", tmp_path / "other.png", "--caption", "dog", "--option", f"regions={instances}"
    )
    assert code == 3 and "missing_regions" in message
