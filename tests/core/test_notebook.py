"""Scoring from Python, as docs/how-to/use-from-python.md shows it."""

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import capscope
from core.errors import BadData, NotFound
from core.models import ModelSettings
from core.types import Explanation, Outcome, Sample, Score
from tests.making import picture
from tests.pages import blocks
from tests.ui.fake_metrics import Lengths, References


class Colours(Lengths):
    """Reads the colour of the top left corner, as people see the picture, and keeps what it was given."""

    name = "Colours"
    seen: list[Sample] = []

    def score(self, samples: Any) -> Iterator[Outcome]:
        from core.images.pictures import open_rgb

        for sample in samples:
            self.seen.append(sample)
            red = float(open_rgb(sample.image.path).getpixel((0, 0))[0])
            yield Score(
                self.name, red / 2.55, self.signature(), self.scale, {"red": red}, Explanation({"overall": "Red."})
            )


@pytest.fixture
def album(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the page has: two pictures with regions, and an album with captions."""
    monkeypatch.chdir(tmp_path)
    for name in ("dogs.jpg", "hills.jpg", "album/one.jpg", "album/two.jpg"):
        picture(tmp_path / name)
    captions = [{"file_name": "one.jpg", "caption": "A dog."}, {"file_name": "two.jpg", "caption": "A hill."}]
    (tmp_path / "album" / "metadata.jsonl").write_text("\n".join(map(json.dumps, captions)))
    names = ("dogs.jpg", "hills.jpg", "one.jpg", "two.jpg")
    images = [{"id": n, "file_name": name, "width": 64, "height": 48} for n, name in enumerate(names)]
    square = {"segmentation": [[4.0, 4.0, 40.0, 4.0, 40.0, 30.0, 4.0, 30.0]], "iscrowd": 0}
    regions = [square | {"id": n, "image_id": n, "category_id": 1 + n % 2} for n in range(4)]
    categories = [{"id": 1, "name": "dog"}, {"id": 2, "name": "hill"}]
    instances = {"images": images, "annotations": regions, "categories": categories}
    (tmp_path / "instances.json").write_text(json.dumps(instances))
    return tmp_path


def test_the_page_runs_as_it_stands(album: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = blocks("how-to/use-from-python.md", "python")
    code = [block for block in page if "datasets" not in block and "agreement" not in block]
    assert len(code) == 3
    names: dict[str, Any] = {}
    exec("\n".join(code), names)
    assert "HICE-S|" in capsys.readouterr().out
    assert len(names["many"]) == 2 and not names["many"].errors
    assert (album / "scores.csv").read_text().count("\n") == 3
    assert names["one"].scores == names["many"].scores[:1]
    assert names["told"].scores[0] > names["told"].scores[1]


@pytest.mark.skipif(find_spec("datasets") is None, reason="needs the package datasets")
def test_the_page_reads_a_column_of_datasets(album: Path) -> None:
    names: dict[str, Any] = {}
    page = blocks("how-to/use-from-python.md", "python")
    exec("\n".join(block for block in page if "agreement" not in block), names)
    assert len(names["column"]) == 2 and not names["column"].errors


def test_pictures_in_memory_are_seen_as_files_are(tmp_path: Path) -> None:
    """Turned by their EXIF, in any mode, or as a file."""
    turned = Image.new("RGB", (8, 4), (255, 0, 0))
    turned.paste((0, 0, 0), (0, 0, 4, 4))
    exif = Image.Exif()
    exif[0x0112] = 3  # upside down
    turned.save(tmp_path / "turned.jpg", quality=100, subsampling=0, exif=exif)
    opened = Image.open(tmp_path / "turned.jpg")
    shown = [tmp_path / "turned.jpg", opened, str(tmp_path / "turned.jpg"), opened.convert("CMYK")]
    Colours.seen.clear()
    result = capscope.metric(Colours)(shown, ["a"] * 4)
    assert [score > 90 for score in result.scores if score is not None] == [True] * 4
    names = [sample.image.name for sample in Colours.seen][:3]
    assert names == ["turned.jpg"] * 3
    assert {(sample.image.width, sample.image.height) for sample in Colours.seen} == {(8, 4)}
    assert opened.getexif()[0x0112] == 3  # the caller's own picture is left as it is


def test_many_pictures_in_memory_never_lie_on_the_disk_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from core import notebook

    monkeypatch.setattr(notebook, "AT_A_TIME", 3)
    there: list[int] = []
    monkeypatch.setattr(
        Colours, "first", staticmethod(lambda: there.append(len(list(Colours.seen[-1].image.path.parent.iterdir()))))
    )
    Colours.seen.clear()
    assert len(capscope.metric(Colours)([Image.new("RGB", (2, 2))] * 8, ["a"] * 8)) == 8
    assert len({sample.image.path for sample in Colours.seen}) == 8  # nothing that is kept by its path is mixed up
    assert not any(sample.image.path.exists() for sample in Colours.seen if sample.image.path)


def test_what_cannot_be_judged_is_an_error_in_its_place(tmp_path: Path) -> None:
    result = capscope.metric(Lengths)([picture(tmp_path / "a.png"), tmp_path / "none.png"], ["four", "words"])
    assert result.scores == [4.0, None] and result.mean == 4.0
    assert result.errors[1].kind == "missing_image" and result.explanations[1] is None
    table = result.to_pandas()
    assert list(table["caption"]) == ["four", "words"] and table["error"][1].startswith("missing_image: ")
    assert set(table["signature"]) == {result.signature}


@pytest.mark.parametrize(
    ("images", "captions", "references"),
    [(["a"], ["x", "y"], None), ([None], ["x"], ["one", "two"]), (None, ["x", "y"], "xy"), ([7], ["x"], None)],
    ids=["fewer pictures", "more references", "a text for references", "a number for a picture"],
)
def test_what_does_not_fit_is_refused(images: Any, captions: Any, references: Any) -> None:
    with pytest.raises(BadData, match="must be|needs"):
        capscope.metric(References)(images, captions, references)


def test_settings_reach_the_metric_and_an_unknown_name_is_told_at_once() -> None:
    Lengths.loaded.clear()
    scorer = capscope.metric(Lengths, model="m", endpoint=None, explain=True, w="2")
    assert not Lengths.loaded
    assert scorer.signature == "Lengths|capscope:test"
    assert Lengths.loaded == [ModelSettings(model="m", explain=True, options={"w": "2"})]
    with pytest.raises(NotFound, match="Did you mean FLEUR"):
        capscope.metric("FLEURR")


def test_the_references_of_the_call_are_the_corpus_of_cider() -> None:
    cider = capscope.metric("CIDEr")
    captions, references = ["a red bird", "a dog"], [["a red bird"], ["a big dog", "one dog"]]
    result = cider(None, captions, references)
    assert "|corpus:these captions, 2 pairs, " in result.signature and not result.errors
    assert cider(None, "a dog", "a dog").errors[0].kind == "missing_dataset"
