import io
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from PIL import Image, ImageDraw

from core.images.pictures import thumbnail
from storage.types import Search, StoredSample
from tests.making import HOSTILE
from tests.ui.conftest import client_of
from ui.services.importing import own_pictures as own
from ui.services.importing.own_pictures import DATASET
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace

Content = bytes | Iterator[bytes]


Api = Callable[[Workplace, Judge], FastAPI]


@pytest.fixture
def visitor(birds: Workplace, api_of: Api) -> TestClient:
    return client_of(api_of(birds, Judge(birds, ())))


@pytest.fixture
def apart() -> None:
    """Pictures are read in processes of their own, as always."""


@pytest.fixture(autouse=True)
def read_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are read in this process where a test is about something else: another one takes long to start."""
    if "apart" not in request.fixturenames:
        monkeypatch.setattr(own, "thumbnail_apart", thumbnail)
        monkeypatch.setattr("storage.data.pictures.thumbnail_apart", thumbnail)


def drawn(size: tuple[int, int] = (64, 48), mode: str = "RGB", kind: str = "PNG", **options: Any) -> bytes:
    """Return a picture whose left half is darker, as a file."""
    image = Image.new(mode, size, options.pop("colour", 250 if mode in ("L", "P") else "teal"))
    if mode == "RGB" and size[0] > 1:
        ImageDraw.Draw(image).rectangle((0, 0, size[0] // 2 - 1, size[1]), "navy")
    written = io.BytesIO()
    image.save(written, kind, **options)
    return written.getvalue()


def bring(
    visitor: TestClient,
    picture: Content,
    caption: str | bytes = "A boat.",
    name: str = "boat.png",
    references: list[str] | None = None,
) -> httpx.Response:
    files: dict[str, Any] = {"picture": (name, picture)}
    return visitor.post("/api/own", data={"caption": caption, "references": references or []}, files=files)


def taken(visitor: TestClient, birds: Workplace, *arguments: Any, **options: Any) -> StoredSample:
    answer = bring(visitor, *arguments, **options)
    assert answer.status_code == 200, answer.text
    return birds.repository.samples.get(answer.json()["id"])


def files_of(birds: Workplace) -> dict[str, int]:
    """Return every file under the data folder but the database's own."""
    found = (path for path in birds.data_dir.rglob("*") if not path.name.startswith("capscope.db"))
    return {str(path.relative_to(birds.data_dir)): path.stat().st_size for path in found if path.is_file()}


@pytest.fixture
def nothing_is_left(birds: Workplace, visitor: TestClient) -> Iterator[None]:
    """Check that the test leaves no file, folder or row behind."""

    def state() -> Any:
        folders = sorted(str(path) for path in birds.data_dir.rglob("*") if path.is_dir())
        return files_of(birds), folders, birds.repository.samples.datasets()

    before = state()
    yield
    assert state() == before


# -- pictures that are taken


@pytest.mark.usefixtures("apart")
def test_a_picture_and_a_caption_become_a_sample(visitor: TestClient, birds: Workplace) -> None:
    content = drawn()
    stored = taken(visitor, birds, content, "  A boat \n on\ta lake. ", references=["One boat.", " ", "A lake. "])
    assert (stored.dataset, stored.sample.candidate) == (DATASET, "A boat on a lake.")
    assert stored.sample.references == ("One boat.", "A lake.")
    image = stored.sample.image
    assert (image.width, image.height) == (64, 48)
    assert image.path is not None and image.path.parent == (birds.data_dir / "pictures").resolve()
    assert image.path.read_bytes() == content
    shown = Image.open(io.BytesIO(visitor.get(f"/api/images/{stored.image_id}").content))
    assert (shown.format, shown.size) == ("WEBP", (64, 48))
    assert visitor.get(f"/api/images/{stored.image_id}/small").headers["content-type"] == "image/webp"


@pytest.mark.usefixtures("apart")
def test_a_picture_may_be_larger_than_other_requests(visitor: TestClient, birds: Workplace) -> None:
    content = drawn((2_700, 2_600), kind="BMP")
    assert len(content) > 21_000_000
    assert taken(visitor, birds, content).sample.image.width == 2_700


def test_the_same_picture_and_caption_again_are_the_same_sample(visitor: TestClient, birds: Workplace) -> None:
    first = taken(visitor, birds, drawn(), "A boat.", name="a.png")
    files = files_of(birds)
    again = taken(visitor, birds, drawn(), " A  boat. ", name="b.png")
    assert again == first
    assert files_of(birds) == files
    assert birds.repository.samples.search(Search(DATASET), 0, 9).total == 1


def test_the_same_picture_brought_by_many_at_once_is_one_sample(visitor: TestClient, birds: Workplace) -> None:
    with ThreadPoolExecutor(6) as pool:
        ids = set(pool.map(lambda _: bring(visitor, drawn()).json()["id"], range(6)))
    assert len(ids) == 1


# -- names and texts of strangers


@pytest.mark.parametrize(
    "name",
    ["../../evil.png", HOSTILE, "x" * 3_000],
)
def test_the_uploads_name_is_never_a_path_nor_kept(visitor: TestClient, birds: Workplace, name: str) -> None:
    before = set(files_of(birds))
    stored = taken(visitor, birds, drawn(), name=name)
    new = set(files_of(birds)) - before
    assert {Path(path).parts[0] for path in new} == {"pictures", "thumbnails"}
    assert stored.sample.image.name == Path(str(stored.sample.image.path)).name
    assert stored.sample.image.name.isascii()


@pytest.mark.parametrize(
    ("caption", "kept"),
    [
        ("a\u0001b\u001b[31mc\r\nd\u0085e", "a b [31mc d e"),
        (b"caf\xe9", "café"),
    ],
)
def test_any_caption_is_kept_without_control_characters(
    visitor: TestClient, birds: Workplace, caption: str | bytes, kept: str
) -> None:
    assert taken(visitor, birds, drawn(), caption).sample.candidate == kept


# -- what is refused, and leaves nothing


JPEG = drawn((640, 480), kind="JPEG")
REFUSED = {
    "text called .jpg": b"This is no picture.",
    "a JPEG of which only the head is whole": JPEG[:300] + b"\x00" * 2_000,
    "more pixels than can be decoded": b"GIF89a" + b"\xff" * 4 + drawn(mode="P", kind="GIF")[10:],
}


@pytest.mark.parametrize("content", REFUSED.values(), ids=REFUSED)
@pytest.mark.usefixtures("nothing_is_left", "apart")
def test_what_is_no_whole_picture_is_refused_and_leaves_nothing(visitor: TestClient, content: bytes) -> None:
    answer = bring(visitor, content, name="holiday.jpg")
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("The picture: ")
    assert "received" not in answer.text and "/" not in answer.json()["detail"]


@pytest.mark.usefixtures("nothing_is_left")
def test_a_file_that_is_too_large_is_refused_with_both_sizes(
    visitor: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own, "LARGEST_PICTURE", 3_000_000)
    answer = bring(visitor, drawn((1_100, 1_000), kind="BMP"))
    assert (answer.status_code, answer.json()["detail"]) == (
        400,
        "The picture may have at most 3 MB, but has 3.3 MB.",
    )


@pytest.mark.parametrize("caption", ["", " \n\u0000"])
@pytest.mark.usefixtures("nothing_is_left")
def test_a_picture_without_a_caption_is_refused(visitor: TestClient, caption: str) -> None:
    answer = bring(visitor, drawn(), caption)
    assert answer.status_code in (400, 422)
    assert "caption" in answer.json()["detail"]


@pytest.mark.parametrize(("caption", "references"), [("x" * 20_001, []), ("a", ["x" * 20_001]), ("a", ["b"] * 21)])
@pytest.mark.usefixtures("nothing_is_left")
def test_endless_texts_are_refused(visitor: TestClient, caption: str, references: list[str]) -> None:
    answer = bring(visitor, drawn(), caption, references=references)
    assert answer.status_code in (400, 422)
    assert len(answer.text) < 500


# -- endless bodies


def megabytes(count: int, drawn_from: list[int]) -> Iterator[bytes]:
    yield b'--x\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\n\r\n'
    for number in range(count):
        drawn_from.append(number)
        yield b"\0" * 1_000_000


@pytest.mark.parametrize(("path", "limit"), [("/api/own", 101), ("/api/judge", 20), ("/api/coding/codebooks", 20)])
@pytest.mark.usefixtures("nothing_is_left")
def test_a_body_without_an_end_is_refused_once_it_is_too_large(
    visitor: TestClient, path: str, limit: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    headers = {"content-type": "multipart/form-data; boundary=x" if path == "/api/own" else "application/json"}
    answer = visitor.post(path, content=megabytes(limit + 1, []), headers=headers)
    assert answer.status_code == 413
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == []


# -- regions


def test_a_picture_that_a_data_set_knows_gets_its_regions(visitor: TestClient, birds: Workplace) -> None:
    known = birds.repository.samples.search(Search("birds"), 0, 1).samples[0].sample.image
    assert known.path is not None
    content = known.path.read_bytes()
    before = bring(visitor, content, "Before.")
    assert (before.status_code, before.json().get("regions")) == (200, 0), before.text
    from core.datasets.coco_instances import Instance
    from core.regions.annotated import region_of

    half = Instance(1, "left", False, [[0, 0, 32, 0, 32, 48, 0, 48]])
    birds.repository.annotate("birds", {known.name: [region_of(half, (48, 64))]})
    answer = bring(visitor, content, "After.")
    assert answer.json()["regions"] == 1
    assert birds.repository.samples.get(answer.json()["id"]).sample.image.regions[0].label == "left"


def test_a_picture_keeps_the_regions_that_were_drawn_on_it(visitor: TestClient, birds: Workplace) -> None:
    sample = bring(visitor, drawn()).json()["id"]
    box = {"label": "boat", "outline": [[0, 0], [32, 0], [32, 48], [0, 48]]}
    assert visitor.post(f"/api/samples/{sample}/regions", json=box).json() == {"regions": 1}
    assert bring(visitor, drawn(), "Another caption.").json()["regions"] == 1
    assert birds.repository.samples.search(Search(DATASET), 0, 9).total == 2
