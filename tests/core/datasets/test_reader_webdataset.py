"""webdataset: good tars, and such as nobody means well with."""

import gzip
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from core.datasets import Record, format_named
from core.datasets.webdataset import LARGEST_TEXT
from core.errors import BadFile, BadRow


def tar(path: Path, *members: tuple[str, bytes | tarfile.TarInfo]) -> Path:
    with tarfile.open(path, "w") as file:
        for name, content in members:
            if isinstance(content, tarfile.TarInfo):
                file.addfile(content)
                continue
            info = tarfile.TarInfo(name)
            info.size = len(content)
            file.addfile(info, io.BytesIO(content))
    return path


def special(name: str, kind: bytes, target: str = "") -> tuple[str, tarfile.TarInfo]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return name, info


def told(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


def held(path: Path) -> tuple[list[Record], list[BadRow], dict[str, bytes]]:
    bad: list[BadRow] = []
    kept: dict[str, bytes] = {}

    def keep(name: str, content: bytes) -> str:
        kept[name] = content
        return name

    return list(format_named("webdataset").read(path, bad.append, keep=keep)), bad, kept


def test_members_of_one_name_are_one_sample(tmp_path: Path) -> None:
    path = tar(
        tmp_path / "shard-000.tar",
        ("000/1.jpg", b"one"),
        ("000/1.json", told(cand="A dog.", refs=["Dogs."], human=0.5, url="http://x", key="1", status="ok")),
        ("000/2.txt", b"A cat.\n"),
        ("000/2.PNG", b"two"),
        ("000/2.cls", b"7"),
        ("001/2.webp", b"three"),
        ("001/2.txt", b"A bird."),
        ("001/2.json", told(caption="From the page.", scores=[{"metric": "M", "value": 0.25}])),
    )
    records, bad, kept = held(path)
    assert not bad
    assert [(record.image, record.candidate) for record in records] == [
        ("1.jpg", "A dog."),
        ("2.png", "A cat."),
        ("2.webp", "A bird."),
    ]
    assert (records[0].references, records[0].human, records[2].scores[0].metric) == (("Dogs.",), 0.5, "M")
    assert kept == {"1.jpg": b"one", "2.png": b"two", "2.webp": b"three"}


def test_names_are_no_paths_and_links_and_devices_are_passed_over(tmp_path: Path) -> None:
    outside = tmp_path / "secret.jpg"
    outside.write_bytes(b"private")
    path = tar(
        tmp_path / "a.tar",
        special("5.jpg", tarfile.SYMTYPE, str(outside)),
        special("5.png", tarfile.LNKTYPE, "../secret.jpg"),
        special("5.gif", tarfile.CHRTYPE),
        special("5.bmp", tarfile.FIFOTYPE),
        special("folder.jpg", tarfile.DIRTYPE),
        ("5.txt", b"A dog."),
        ("../../../../etc/1.jpg", b"one"),
        ("../../../../etc/1.txt", b"A dog."),
        ("/etc/passwd", b"x"),
        ("..\\2\n.jpg", b"two"),
        ("..\\2\n.txt", b"A cat."),
        (".hidden", b"x"),
    )
    records, bad, kept = held(path)
    assert [bad.field for bad in bad] == ["image"]  # the sample whose pictures are links has none
    assert [record.candidate for record in records] == ["A dog."] or all("/" not in name for name in kept)
    assert b"private" not in kept.values()
    assert sorted(tmp_path.iterdir()) == [path, outside]  # nothing was unpacked


def test_what_is_too_large_or_no_text_is_a_bad_row_and_the_others_are_read(tmp_path: Path) -> None:
    path = tar(
        tmp_path / "a.tar",
        *(("1.jpg", b"one"), ("1.txt", b"x" * (LARGEST_TEXT + 1))),
        *(("2.jpg", b"two"), ("2.txt", b"\xff\xfe")),
        *(("3.jpg", b"three"), ("3.json", b"[1]")),
        *(("4.jpg", b"four"), ("4.json", b"{")),
        *(("5.jpg", b"five"), ("5.json", told(human=0.5))),
        ("6.jpg", b"six"),
        *(("7.jpg", b"seven"), ("7.txt", b"A dog.")),
    )
    records, bad, _ = held(path)
    assert [record.candidate for record in records] == ["A dog."]
    fields = [".txt", ".txt", ".json", ".json", "caption", "caption"]
    assert [(one.row, one.field) for one in bad] == list(enumerate(fields, start=1))


def test_a_tar_that_is_broken_packed_or_none_is_told(tmp_path: Path) -> None:
    good = tar(tmp_path / "a.tar", ("1.jpg", b"one" * 1000), ("1.txt", b"A dog.")).read_bytes()
    for name, content in {
        "cut.tar": good[:700],
        "none.tar": b"PK\x03\x04 not a tar at all",
        "packed.tar.gz": gzip.compress(good),
        "empty.tar": tar(tmp_path / "e.tar").read_bytes(),
        "other.tar": tar(tmp_path / "o.tar", ("readme.md", b"x")).read_bytes(),
    }.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(BadFile, match="tar"):
            held(tmp_path / name)
