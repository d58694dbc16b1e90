"""`get coco-pictures`: the pictures that a data set names, from a server of this machine."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from core.datasets import Record, raise_bad
from core.errors import BadSetting
from core.network import Downloads
from core.types import ImageRef
from storage.types import Search
from tests.command_line import Run, command_line
from tests.file_server import FileServer, serving_files
from ui.services.importing.coco_pictures import get_coco_pictures
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

OLD, NEW, OTHER = "COCO_val2014_000000000974.jpg", "000000391895.jpg", "1056338697_4f7d7ce270.jpg"


def jpeg(red: int) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (40, 30), (red, 9, 9)).save(content, "JPEG")
    return content.getvalue()


@pytest.fixture
def server() -> Iterator[FileServer]:
    with serving_files({f"/val2014/{OLD}": jpeg(10), f"/train2017/{NEW}": jpeg(200)}) as held:
        yield held


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A data folder with captions of an old, a new and a foreign picture; one caption without an id."""
    opened = open_workplace(Settings(data_dir=tmp_path / "data"))
    fill(opened)
    opened.repository.close()
    return tmp_path / "data"


def fill(opened: Workplace, *names: str) -> None:
    names = names or (OLD, OLD, NEW, OTHER)
    keys = (None, *map(str, range(1, len(names))))
    records = [
        Record(Path("f"), row, name, f"A dog {row}.", key)
        for row, (name, key) in enumerate(zip(names, keys, strict=True), 1)
    ]
    opened.repository.add_records("d", records, {name: ImageRef(name) for name in names}, raise_bad)


@pytest.fixture
def run(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    return command_line(data_dir, capsys)


@pytest.fixture
def filled(workplace: Workplace) -> Workplace:
    fill(workplace)
    return workplace


def shown(workplace: Workplace) -> dict[str, tuple[Any, ...]]:
    pictures = workplace.repository.samples.pictures("d")
    return {name: (one.width, one.height) for name, one in pictures.items() if one.path is not None}


def test_pictures_are_fetched_and_shown_with_their_captions(run: Run, server: FileServer, data_dir: Path) -> None:
    got = run("get", "coco-pictures", "--dataset", "d", "--pause", 0, "--mirror", server.url)
    assert got.code == 0, got.err
    assert "d: 2 pictures downloaded; 2 pictures of the data set are now available for the first time;\n" in got.out
    assert "COCO pictures that are still missing: 0." in got.out
    assert "Missing pictures of other collections: 1. Download the pictures of Flickr8k" in got.out
    assert server.asked == [f"/val2014/{OLD}", f"/val2017/{NEW}", f"/train2017/{NEW}"]
    opened = open_workplace(Settings(data_dir=data_dir))
    assert shown(opened) == {OLD: (40, 30), NEW: (40, 30)}
    assert len(opened.repository.samples.ids(Search("d"))) == 4
    opened.repository.close()


def test_a_limit_fetches_a_few_and_the_next_call_the_others(filled: Workplace, server: FileServer) -> None:
    stamp = filled.repository.analysis.stamp("d")
    first = get_coco_pictures(filled, "d", Downloads(mirror=server.url), limit=1, pause_s=0)
    assert (first.fetched, first.shown, first.missing, first.others) == (1, 1, 1, 1)
    assert filled.repository.analysis.stamp("d") != stamp
    second = get_coco_pictures(filled, "d", Downloads(mirror=server.url), pause_s=0)
    assert (second.fetched, second.shown, second.missing) == (1, 1, 0)
    with pytest.raises(
        BadSetting,
        match="The pictures that the data set d lacks are not COCO pictures. Download the pictures of Flickr8k",
    ):
        get_coco_pictures(filled, "d", Downloads(mirror=server.url))


def test_a_picture_that_is_none_or_absent_is_told_and_not_shown(filled: Workplace, server: FileServer) -> None:
    server.files[f"/val2014/{OLD}"] = b"<html>not here</html>"
    report = get_coco_pictures(filled, "d", Downloads(mirror=server.url), pause_s=0)
    assert (report.shown, report.missing) == (1, 1) and OLD in report.failed[0]
    assert shown(filled) == {NEW: (40, 30)}
    assert not (filled.data_dir / "published" / "coco" / OLD).exists()
    del server.files[f"/val2014/{OLD}"]
    assert "(404)" in get_coco_pictures(filled, "d", Downloads(mirror=server.url), pause_s=0).failed[0]


def test_a_server_that_falls_silent_leaves_what_came_before(run: Run, server: FileServer) -> None:
    server.silent.add(f"/val2017/{NEW}")
    options = ("--dataset", "d", "--pause", 0, "--mirror", server.url)
    got = run("get", "coco-pictures", *options, CAPSCOPE_DOWNLOAD_TIMEOUT="1")
    assert got.code == 2 and "sent nothing for 1 s." in got.err and "Run the same command again" in got.err
    assert "1 pictures downloaded; 1 pictures of the data set are now available for the first time" in got.out
    server.silent.clear()
    assert run("get", "coco-pictures", *options, "--json").json["shown"] == 1


def test_options_that_do_not_belong_together_are_refused(run: Run) -> None:
    for words in (("coco-pictures",), ("coco-pictures", "thumb", "--dataset", "d"), ("thumb", "--limit", "3")):
        got = run("get", *words)
        assert got.code == 2 and "coco-pictures" in got.err
