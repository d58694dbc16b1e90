"""A data set written for others, its card, and what of it comes back; and pictures that imported files hold."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import ExifTags, Image

from core.errors import AlreadyExists, BadRow, BadSetting, NotFound
from core.types import EvaluationError, Score
from storage.types import Search, StoredSample
from tests.core.datasets.test_huggingface import image, parquet
from tests.making import HOSTILE, import_rows, picture, rows, score
from ui.services.importing.importing import import_files
from ui.services.transfer.dataset_export import WRITTEN, export_dataset
from ui.services.workplace import PICTURES, Workplace

ODD_NAMES = ("a.png", "b.png", "A.png", "b c\u202e`.png")


@pytest.fixture
def album(workplace: Workplace, tmp_path: Path) -> Workplace:
    """Captions of all kinds: explained, judged, with an error, with a hostile text, without a picture."""
    samples = rows(4)
    samples[1]["scores"].append({"metric": "Late", "error": {"kind": "no_score", "message": "No number."}})
    samples[2] |= {"caption": HOSTILE, "references": [HOSTILE], "pair": {"key": "HC#1", "position": 0, "preferred": 1}}
    samples[2]["scores"] = [score(HOSTILE, 0.5, signature=f"{HOSTILE}|a:b`", components={"raw": 0.5, "p": [0.1, 0.2]})]
    samples[3] |= {"image": "odd\nname .png"}
    samples.append(rows(5)[4] | {"image": "missing.png"})
    import_rows(workplace, tmp_path / "files", samples)
    workplace.repository.samples.set_notice("birds", "Made by <b>hand</b> `once`.")
    return workplace


def stored(workplace: Workplace, dataset: str) -> dict[str, StoredSample]:
    samples = workplace.repository.samples
    return {one.sample.key: one for one in samples.many(samples.ids(Search(dataset)))}


def plain(one: StoredSample) -> Any:
    """Return what of a sample every file must bring back."""
    scores = sorted(
        (
            outcome.signature,
            outcome.value,
            outcome.scale,
            dict(outcome.components),
            dict(outcome.explanation.rationales),
        )
        for outcome in one.outcomes
        if isinstance(outcome, Score)
    )
    errors = [(o.signature, o.kind, o.message) for o in one.outcomes if isinstance(o, EvaluationError)]
    sample = one.sample
    return sample.candidate, sample.references, sample.human, sample.judgements, one.pair, scores, errors


@pytest.mark.parametrize(("form", "file"), [("jsonl", "samples.jsonl"), ("huggingface", "metadata.jsonl")])
def test_what_is_written_comes_back_whole(album: Workplace, tmp_path: Path, form: str, file: str) -> None:
    report = export_dataset(album, "birds", form, tmp_path / "out")
    images = [tmp_path / "files"] if form == "jsonl" else []
    import_files(album, form, [tmp_path / "out" / file], "back", images)
    before, after = stored(album, "birds"), stored(album, "back")
    lost = {"secretkey-4"} if form == "huggingface" else set()
    assert {key: plain(one) for key, one in after.items()} == {k: plain(o) for k, o in before.items() if k not in lost}
    assert report.samples == len(after) and len(report.left_out) == len(lost)
    if form == "huggingface":
        for key, one in after.items():
            assert one.sample.image.sha256 == before[key].sample.image.sha256
            assert one.sample.image.path is not None and one.sample.image.path.parent == tmp_path / "out" / "images"


def test_the_card_says_what_there_is_and_makes_no_markup_of_anybodys_text(album: Workplace, tmp_path: Path) -> None:
    export_dataset(album, "birds", "huggingface", tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text()
    front, body = card.split("---\n")[1], card.split("---\n", 2)[2]
    assert 'pretty_name: "birds"' in front and "captions: 4, skipped: 1" in body
    assert "to import it again, run `python app.py import huggingface`" in body
    assert "`Made by <b>hand</b> 'once'.`" in body
    for line in body.splitlines():
        outside = "".join(line.split("`")[::2])
        assert "<" not in outside and line.count("`") % 2 == 0, line


def test_a_wrong_name_form_or_folder_writes_nothing(birds: Workplace, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").touch()
    for dataset, form, folder, kind in (
        ("wrens", "jsonl", "a", NotFound),
        ("birds", "nothing", "b", BadSetting),
        ("birds", "csv", "c", BadSetting),
        ("birds", "jsonl", "full", AlreadyExists),
    ):
        with pytest.raises(kind):
            export_dataset(birds, dataset, form, tmp_path / folder)
        assert folder == "full" or not (tmp_path / folder).exists()
    assert {one.name for one in WRITTEN} == {"jsonl", "huggingface"}


# -- pictures that files hold


def content(colour: str) -> bytes:
    import io

    kept = io.BytesIO()
    Image.new("RGB", (8, 6), colour).save(kept, "PNG")
    return kept.getvalue()


def test_pictures_of_a_file_are_kept_under_their_checksums_two_of_one_name_apart(
    workplace: Workplace, tmp_path: Path
) -> None:
    captions = [
        {"image": image(content("red"), "a.png"), "caption": "Red."},
        {"image": image(content("blue"), "a.png"), "caption": "Blue."},
        {"image": image(content("red"), "b.png"), "caption": "Red again."},
        {"image": image(b"no picture", "c.png"), "caption": "Broken."},
    ]
    report = import_files(workplace, "huggingface", [parquet(tmp_path / "set.parquet", captions)])
    assert (report.counts.samples, report.counts.images_found, len(report.unreadable)) == (4, 3, 1)
    found = {one.sample.candidate: one.sample.image for one in stored(workplace, "set").values()}
    kept = {path.name for path in (workplace.data_dir / PICTURES).iterdir()}
    assert found["Red."].path == found["Red again."].path != found["Blue."].path
    assert found["Blue."].name == f"{found['Blue.'].sha256[:12]}-a.png"  # type: ignore[index]
    assert {Path(str(one.path)).name for one in found.values() if one.path} <= kept and len(kept) == 3


def test_an_import_that_fails_leaves_no_pictures_behind(workplace: Workplace, tmp_path: Path) -> None:
    earlier = parquet(tmp_path / "good.parquet", [{"image": image(content("red"), "a.png"), "caption": "Red."}])
    import_files(workplace, "huggingface", [earlier])
    before = set((workplace.data_dir / PICTURES).iterdir())
    captions = [
        {"image": image(content(colour), f"{colour}.png"), "caption": text}
        for colour, text in (("red", "Red."), ("green", "Green."), ("blue", " "))
    ]
    with pytest.raises(BadRow, match="caption"):
        import_files(workplace, "huggingface", [parquet(tmp_path / "bad.parquet", captions)])
    assert set((workplace.data_dir / PICTURES).iterdir()) == before


def test_a_metadata_file_takes_its_pictures_from_its_own_folder_only(workplace: Workplace, tmp_path: Path) -> None:
    picture(tmp_path / "private.png")
    picture(tmp_path / "set" / "own.png")
    lines = [{"file_name": "own.png", "caption": "Mine."}, {"file_name": "../private.png", "caption": "Not mine."}]
    (tmp_path / "set" / "metadata.jsonl").write_text("\n".join(map(json.dumps, lines)))
    report = import_files(workplace, "huggingface", [tmp_path / "set" / "metadata.jsonl"])
    assert report.counts.images_found == 1 and "--images" in report.unreadable[0]


def test_datasets_reads_the_folder(album: Workplace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "cache"))
    load_dataset = pytest.importorskip("datasets").load_dataset
    export_dataset(album, "birds", "huggingface", tmp_path / "out")
    places = {"data_dir": str(tmp_path / "out"), "cache_dir": str(tmp_path / "cache")}
    found = load_dataset("imagefolder", split="train", **places)
    assert found.num_rows == 4 and found[0]["image"].size == (64, 48)
    assert set(found["caption"]) == {one.sample.candidate for one in stored(album, "birds").values()} - {
        "A caption with number 4."
    }


def test_pictures_alike_keep_their_own_names_and_odd_names_get_plain_ones(workplace: Workplace, tmp_path: Path) -> None:
    """Two pictures of one content, and two that differ only in the case of their names."""
    samples = [row | {"caption": "A bird.", "image": name} for row, name in zip(rows(4), ODD_NAMES, strict=True)]
    for name in ODD_NAMES:
        picture(tmp_path / "files" / name)
    import_rows(workplace, tmp_path / "files", samples)
    export_dataset(workplace, "birds", "huggingface", tmp_path / "out")
    written = sorted(path.name for path in (tmp_path / "out" / "images").iterdir())
    assert len(written) == 4 and {"a.png", "b.png"} <= set(written)
    assert all(re.fullmatch(r"[\w.-]+", name) for name in written)
    assert len({name.casefold() for name in written}) == 4
    import_files(workplace, "huggingface", [tmp_path / "out" / "metadata.jsonl"], "back")
    assert {key: plain(one) for key, one in stored(workplace, "back").items()} == {
        key: plain(one) for key, one in stored(workplace, "birds").items()
    }


def test_pictures_for_the_hub_hold_no_metadata(workplace: Workplace, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Artist] = "Lena Example"
    samples = [row | {"image": f"{row['id']}.{ending}"} for row, ending in zip(rows(2), ("jpg", "tiff"), strict=True)]
    import_rows(workplace, tmp_path / "files", samples)
    before = workplace.repository.samples.pictures("birds")
    for one in before.values():
        assert one.path is not None
        Image.open(one.path).convert("RGB").save(one.path, exif=exif)
        assert b"Lena Example" in one.path.read_bytes()
    export_dataset(workplace, "birds", "huggingface", tmp_path / "out")
    written = sorted((tmp_path / "out" / "images").iterdir())
    assert [path.suffix for path in written] == [".jpg", ".png"]
    assert not [path for path in written if b"Lena Example" in path.read_bytes()]
    import_files(workplace, "huggingface", [tmp_path / "out" / "metadata.jsonl"], "back")
    assert stored(workplace, "back").keys() == stored(workplace, "birds").keys()
