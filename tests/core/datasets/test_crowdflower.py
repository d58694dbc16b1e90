"""flickr8k-cf from the authors' own table."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from core.datasets import format_named, raise_bad
from core.datasets.base import Record
from core.errors import BadFile, BadRow

TABLE = "a.jpg\ta.jpg#2\t1\t3\t0\na.jpg\tb.jpg#2\t0.333333333333\t1\t2\nb.jpg\tb.jpg#2\t0.5\t2\t2\n"
CAPTIONS = {image: [f"caption {image} {n} ." for n in range(5)] for image in ("a.jpg", "b.jpg")}


def table(folder: Path, text: str = TABLE) -> Path:
    path = folder / "CrowdFlowerAnnotations.txt"
    path.write_text(text)
    return path


def put_json(folder: Path) -> None:
    content = {
        image[0]: {"image_path": f"Flickr8k_Dataset/{image}", "ground_truth": texts, "human_judgement": []}
        for image, texts in CAPTIONS.items()
    }
    (folder / "flickr8k.json").write_text(json.dumps(content))


def put_tokens(folder: Path) -> None:
    lines = (f"{image}#{n}\t{text}\n" for image, texts in CAPTIONS.items() for n, text in enumerate(texts))
    (folder / "Flickr8k.token.txt").write_text("".join(lines))


def read(path: Path) -> list[Record]:
    return list(format_named("flickr8k-cf").read(path, raise_bad))


@pytest.mark.parametrize("put", [put_json, put_tokens])
def test_votes_become_shares_and_numbers_become_captions(put, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    put(tmp_path)
    first, second, third = read(table(tmp_path))
    assert [(r.key, r.image, r.row) for r in (first, second, third)] == [
        ("a#1", "a.jpg", 1), ("a#2", "a.jpg", 2), ("b#1", "b.jpg", 3),
    ]  # fmt: skip
    assert [r.human for r in (first, second, third)] == [1.0, pytest.approx(1 / 3), 0.5]
    assert [r.candidate for r in (first, second, third)] == [
        "caption a.jpg 2 .",
        "caption b.jpg 2 .",
        "caption b.jpg 2 .",
    ]
    assert second.references == tuple(CAPTIONS["a.jpg"])
    assert first.references == tuple(text for text in CAPTIONS["a.jpg"] if text != first.candidate)


def test_without_the_captions_the_file_says_what_to_put_beside_it(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"put Flickr8k\.token\.txt or flickr8k\.json into the same folder"):
        read(table(tmp_path))


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("a.jpg\tc.jpg#2\t1\t3\t0\n", "caption"),
        ("a.jpg\ta.jpg#9\t1\t3\t0\n", "caption"),
        ("a.jpg\ta.jpg\t1\t3\t0\n", "caption"),
        ("a.jpg\ta.jpg#1\t0.5\t3\t0\n", "share of yes"),
        ("a.jpg\ta.jpg#1\t0\t0\t0\n", "share of yes"),
        ("a.jpg\ta.jpg#1\t1\tmany\t0\n", "yes"),
        ("a.jpg\ta.jpg#1\t1\t1.5\t0\n", "yes"),
        ("a.jpg\ta.jpg#1\t1\t1\t-1\n", "no"),
        ("a.jpg\ta.jpg#1\t1\t3\n", "row"),
        ("\ta.jpg#1\t1\t3\t0\n", "image"),
    ],
)
def test_a_bad_line_is_named_with_its_number_and_field(line: str, field: str, tmp_path: Path) -> None:
    put_json(tmp_path)
    with pytest.raises(BadRow, match=f"row 4, field {field}"):
        read(table(tmp_path, TABLE + line))


def test_the_real_table_gives_every_pair_of_the_benchmark(shared_dir: Path, tmp_path: Path) -> None:
    folder = shared_dir / "data/flickr8k"
    (tmp_path / "flickr8k.json").symlink_to(folder / "flickr8k.json")
    path = tmp_path / "CrowdFlowerAnnotations.txt"
    path.write_bytes(gzip.decompress((folder / "CrowdFlowerAnnotations.txt.gz").read_bytes()))
    records = read(path)
    assert (len(records), len({r.image for r in records}), len({r.candidate for r in records})) == (47_830, 1000, 1000)
    # 721 of them beside their own picture, where one has the caption twice; 2 worded as another picture's own.
    assert Counter(len(r.references) for r in records) == {5: 47_107, 4: 722, 3: 1}
