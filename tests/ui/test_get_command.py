"""`get`: published data from a mirror of this machine, and what a reader is told when that fails."""

import hashlib
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.datasets import published_files
from core.datasets.published_files import PublishedData
from core.errors import Cancelled
from core.network import Downloads
from core.network.download import PublishedFile
from storage.types import Search
from tests.command_line import Run
from tests.file_server import FileServer, serving_files
from tests.making import picture
from tests.published_copies import mirrored
from ui.services.importing.published import get_published, stored_path
from ui.services.workplace import Workplace

NAMES = ("A dog runs .", "A cat sleeps .", "Two men talk .")
JUDGED = {
    f"{number}_a": {
        "image_id": f"{number}_a",
        "image_path": f"Flickr8k_Dataset/{number}_a.jpg",
        "ground_truth": ["A dog .", "Dogs ."],
        "human_judgement": [{"caption": caption, "rating": float(rating)} for rating in (1, 2, 4)],
    }
    for number, caption in enumerate(NAMES)
}
BLOCK = "image file : Flickr8k_Dataset/{number}_a.jpg\ncaption : {caption}\nmodel score : 0.5\nour score : 0.25\n\n"
SCORED = "flickr8k dataset\n\n" + "".join(
    BLOCK.format(number=number, caption=caption) for number, caption in enumerate([*NAMES, "A caption of nobody ."])
)


def a_file(path: str, text: str, size: int | None = None) -> PublishedFile:
    content = text.encode()
    blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
    return PublishedFile(path, blob, size=size)


ANNOTATIONS, SCORES = json.dumps(JUDGED), SCORED
TOY = PublishedData(
    "toy-expert",
    "A toy.",
    "ann/toys",
    "c" * 40,
    format="flickr8k-expert",
    files=(a_file("annotations/toy.json", ANNOTATIONS),),
    scores=(a_file("results/fleur_toy.txt", SCORES, len(SCORES)),),
    licence="none stated",
    citation="Ann (2020). Toys.",
    pictures="Pictures by hand",
    group="toys",
)
BASE = f"/ann/toys/{'c' * 40}"
JSON_PATH, TXT_PATH = f"{BASE}/annotations/toy.json", f"{BASE}/results/fleur_toy.txt"
PLAIN = PublishedData(
    "plain", "Plain.", "ann/toys", "c" * 40, "flickr8k-expert", (a_file("annotations/plain.json", ANNOTATIONS + " "),),
    "CC0", "Ann (2021). Plain toys.", "Pictures by hand",
)  # fmt: skip


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two small rows instead of the real ones."""
    monkeypatch.setattr(published_files, "PUBLISHED", (TOY, PLAIN))


@pytest.fixture
def server() -> Iterator[FileServer]:
    files = {JSON_PATH: ANNOTATIONS, TXT_PATH: SCORES, f"{BASE}/annotations/plain.json": ANNOTATIONS + " "}
    with serving_files({path: text.encode() for path, text in files.items()}) as held:
        yield held


def samples_of(workplace: Workplace, name: str = "toy-expert") -> list[Any]:
    samples = workplace.repository.samples
    return list(samples.many(samples.ids(Search(name)))) if name in {one.name for one in samples.datasets()} else []


def test_data_are_listed_then_come_once_with_published_scores_citation_and_licence(
    run: Run, server: FileServer, tmp_path: Path
) -> None:
    listed = run("get", CAPSCOPE_MIRROR=server.url)
    assert listed.code == 0 and server.asked == []
    shown = "toy-expert  (size unknown, not here)\n    A toy.\n    licence: none stated\n    cite: Ann (2020)"
    assert shown in listed.out and listed.out.endswith("python app.py get all. Nothing was downloaded now.\n")
    got = run("get", "toy-expert", CAPSCOPE_MIRROR=f"{server.url}/")
    assert got.code == 0, got.err
    assert "toy-expert: read 3 samples and 3 scores,\n  3 of these samples and 3 of these scores are new" in got.out
    assert "FLEUR's published scores: 3 scores were added to their captions." in got.out
    assert "Published scores of captions that the data set lacks were skipped: 1." in got.out
    assert "Licence: none stated." in got.out and "Please cite: Ann (2020). Toys." in got.out
    assert "pictures: 0 found, 3 missing" in got.out
    assert [one["state"] for one in run("get", "--json").json] == ["imported", "absent"]
    picture(tmp_path / "Flickr8k_Dataset" / "1_a.jpg")
    server.asked.clear()
    again = run("get", "toy-expert", "--images", tmp_path / "Flickr8k_Dataset", CAPSCOPE_MIRROR=server.url)
    assert server.asked == [] and "pictures: 1 found, 2 missing" in again.out
    assert "3 samples and 3 scores,\n  0 of these samples and 0 of these scores are new;" in again.out
    path = stored_path(tmp_path / "data", TOY, TOY.scores[0])
    path.write_text(SCORES.replace("0.25", "0.75"))  # only a file that was changed here is fetched again
    assert run("get", "toy-expert", CAPSCOPE_MIRROR=server.url).code == 0
    assert server.asked == [TXT_PATH] and path.read_text() == SCORES


@pytest.mark.parametrize("path", [JSON_PATH, TXT_PATH])
def test_one_wrong_byte_of_any_file_imports_nothing(run: Run, server: FileServer, path: str) -> None:
    server.files[path] = server.files[path].replace(b"dog", b"dug")
    got = run("get", "toy-expert", CAPSCOPE_MIRROR=server.url)
    assert got.code == 2 and "is not the published file: its Git checksum is" in got.err
    assert "Nothing of toy-expert was imported." in got.err
    assert {one["state"] for one in run("get", "--json").json} == {"absent"}


def test_what_failed_says_what_to_fetch_by_hand_and_files_fetched_so_are_imported(
    run: Run, server: FileServer, tmp_path: Path
) -> None:
    server.files.clear()
    got = run("get", "toy-expert", CAPSCOPE_MIRROR=server.url)
    assert got.code == 2 and "(404)" in got.err
    for file, path, content in (
        (TOY.files[0], JSON_PATH, ANNOTATIONS),
        (TOY.scores[0], TXT_PATH, SCORES),
    ):
        place = stored_path(tmp_path / "data", TOY, file)
        assert f"https://raw.githubusercontent.com{path} as {place}" in got.err
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
    got = run("get", "toy-expert", CAPSCOPE_MIRROR=server.url)
    assert got.code == 0 and "FLEUR's published scores: 3 scores were added to their captions." in got.out


def test_one_that_fails_does_not_stop_the_others(run: Run, server: FileServer) -> None:
    del server.files[JSON_PATH]
    got = run("get", "all", CAPSCOPE_MIRROR=server.url)
    assert got.code == 2 and "Nothing of toy-expert was imported." in got.err
    assert "plain: read 3 samples" in got.out
    with socket.create_server(("127.0.0.1", 0)) as listening:
        mirror = f"http://127.0.0.1:{listening.getsockname()[1]}"
    got = run("get", "all", CAPSCOPE_MIRROR=mirror)  # a server that does not answer is asked once
    assert got.code == 2 and got.err.count("cannot be reached") == 1


def test_cancelling_while_scores_are_added_leaves_the_data_set(workplace: Workplace, server: FileServer) -> None:
    def cancel(what: str, done: int, total: int) -> None:
        if what == "Reading fleur_toy.txt":
            raise Cancelled(what)

    report = get_published(workplace, TOY, Downloads(mirror=server.url), cancel)
    assert report.counts.samples == 3 and any("You cancelled before FLEUR" in note for note in report.notes)


def test_every_copy_at_hand_comes_in_with_every_score_joined(
    workplace: Workplace, shared_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    expected = {"flickr8k-expert": (5_664, 5_664), "pascal50s": (8_000, 8_000), "thumb": (2_500, 12_500)}
    with serving_files(mirrored(shared_dir / "data")) as mirror:
        for name, counts in expected.items():
            (data,) = published_files.published_named(name)
            report = get_published(workplace, data, Downloads(mirror=mirror.url))
            assert (report.counts.samples_added, report.counts.scores_added) == counts
            assert not any("does not contain" in note for note in report.notes)
