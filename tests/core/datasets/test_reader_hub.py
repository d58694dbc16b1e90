"""longcap-arena, spica, nebula-corrected, huggingface: small files in each one's own schema, written here."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.datasets import Record, format_named, raise_bad
from core.errors import BadFile, BadRow
from core.types import EvaluationError, Score

LONG = {
    "file_name": "sa_1543972.jpg",
    "refs": ["An indoor mall."],
    "cand": "The image shows an escalator.",
    "score": 0.625,
}
PICTURE = b"\xff\xd8\xff bytes of a picture"


def parquet(path: Path, rows: list[dict[str, Any]]) -> Path:
    import pyarrow
    from pyarrow import parquet as files

    path.parent.mkdir(parents=True, exist_ok=True)
    files.write_table(pyarrow.Table.from_pylist(rows), path)
    return path


def held(name: str, path: Path) -> tuple[list[Record], dict[str, bytes]]:
    """Read a file and the pictures that it holds, by what records call them."""
    kept: dict[str, bytes] = {}

    def keep(name: str, content: bytes) -> str:
        kept[name] = content
        return name

    return list(format_named(name).read(path, raise_bad, keep=keep)), kept


def image(content: bytes | None = PICTURE, path: str | None = None) -> dict[str, Any]:
    return {"bytes": content, "path": path}


# -- LongCap-Arena


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("data/dci_val.desc-00000-of-00001.parquet", "dci_val.desc"),
        ("default/test.flu/0000.parquet", "test.flu"),
        ("rel.parquet", "rel"),
    ],
)
def test_a_longcap_file_is_of_one_criterion_which_its_name_or_folder_says(
    tmp_path: Path, name: str, split: str
) -> None:
    path = parquet(tmp_path / name, [LONG | {"image": image()}])
    (record,), kept = held("longcap-arena", path)
    assert record.key == f"{split}#{path.stem}#1" and record.human == 0.625
    assert (record.image, record.references) == ("sa_1543972.jpg", ("An indoor mall.",))
    assert kept == {"sa_1543972.jpg": PICTURE}


def test_criteria_of_one_caption_never_mix(tmp_path: Path) -> None:
    keys = set()
    for criterion in ("desc", "rel", "flu"):
        path = parquet(tmp_path / f"dci_test.{criterion}-00000-of-00001.parquet", [LONG | {"image": image()}])
        keys |= {record.key for record in held("longcap-arena", path)[0]}
    assert len(keys) == 3


def test_a_longcap_file_without_a_criterion_or_with_a_wrong_score_is_told(tmp_path: Path, skim) -> None:
    with pytest.raises(BadFile, match="contains no criterion"):
        held("longcap-arena", parquet(tmp_path / "description.parquet", [LONG | {"image": image()}]))
    wrong = [LONG | {"image": image(), "score": 62.5}, LONG | {"image": image(None)}, LONG | {"image": image()}]
    records, problems = skim("longcap-arena", parquet(tmp_path / "test.desc.parquet", wrong))
    assert len(records) == 1
    assert [(bad.row, bad.field) for bad in problems] == [(1, "score"), (2, "image")]


@pytest.mark.parametrize("content", [b"PAR1", b"PAR1 and no more", b'{"file_name": "a"}'])
def test_what_is_no_parquet_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "test.desc.parquet"
    path.write_bytes(content)
    with pytest.raises(BadFile, match="is not Parquet"):
        held("longcap-arena", path)


# -- Spica, and Nebula with its labels


SPICA = "imgid,mt,score,refs\na.jpg,A dog.,0.5,\"['Dogs.', 'A dog runs.']\"\na.jpg,A  dog.,1.0,\nb.jpg,A cat.,0.25,[]\n"


def test_spica_has_a_sample_a_row_and_needs_no_references(write, read) -> None:
    first, second, third = read("spica", write("spica_test.csv", SPICA))
    assert (first.key, first.image, first.references) == ("spica_test#2", "a.jpg", ("Dogs.", "A dog runs."))
    assert (second.references, second.human, third.human) == ((), 1.0, 0.25)
    bare = read("spica", write("spica_val.csv", "imgid,mt,score\nb.jpg,A cat.,0\n"))
    assert bare[0].human == 0.0
    with pytest.raises(BadRow, match="a number from 0 to 1"):
        read("spica", write("spica_train.csv", "imgid,mt,score\nb.jpg,A cat.,nan\n"))


def test_corrected_labels_are_spicas_means_and_the_published_ones_stay_beside(write, read) -> None:
    rows = [
        {"imgid": "a.jpg", "mt": "A dog.", "refs": ["Dogs."], "score": 0.1},
        {"imgid": "c.jpg", "mt": "A bird.", "refs": ["Birds."], "score": 0.9},
    ]
    path = write("nebula_test.json", rows)
    with pytest.raises(BadFile, match="spica_train.csv, spica_val.csv, spica_test.csv"):
        read("nebula-corrected", path)
    write("spica_train.csv", SPICA)
    dog, bird = read("nebula-corrected", path)
    assert (dog.human, bird.human) == (0.75, 0.9)  # (0.5 + 1.0) / 2; Spica has no bird
    (published,) = dog.scores
    assert isinstance(published, Score) and (published.metric, published.value) == ("Nebula (published)", 0.1)
    assert [record.human for record in read("nebula", path)] == [0.1, 0.9]


# -- folders and Parquet of the hub


def test_a_folders_metadata_names_pictures_beside_it(write, read) -> None:
    lines = [
        {"file_name": "images/1.jpg", "caption": "A dog.", "references": ["Dogs."], "human": 0.5, "split": "test"},
        {"file_name": "2.jpg", "cand": "A cat.", "refs": "['Cats.']", "human_score": 1},
    ]
    first, second = read("huggingface", write("metadata.jsonl", "\n".join(map(json.dumps, lines))))
    assert (first.image, first.image_is_relative, first.human) == ("images/1.jpg", True, 0.5)
    assert (second.candidate, second.references, second.human) == ("A cat.", ("Cats.",), 1.0)


def test_parquet_brings_its_pictures_under_what_names_there_are(tmp_path: Path) -> None:
    rows = [
        {
            "img": image(path="some/where/a.png"),
            "cand": "A dog.",
            "refs": ["Dogs."],
            "human_score": 0.25,
            "scores": None,
        },
        {"img": image(PICTURE + b"2"), "cand": "A cat.", "refs": [], "human_score": None, "scores": None},
    ]
    scores = [{"metric": "M", "value": 0.5}, {"metric": "N", "error": {"kind": "no_score", "message": "None."}}]
    rows[0]["scores"] = json.dumps(scores)
    (first, second), kept = held("huggingface", parquet(tmp_path / "train.parquet", rows))
    assert (first.image, second.image) == ("some/where/a.png", "train-2")
    assert kept == {"some/where/a.png": PICTURE, "train-2": PICTURE + b"2"}
    assert (first.human, second.human) == (0.25, None)
    assert [type(outcome) for outcome in first.scores] == [Score, EvaluationError]
    rows = [{"image": image(path="x.jpg"), "file_name": "../../y.jpg", "caption": "A dog."}]
    (named,), kept = held("huggingface", parquet(tmp_path / "named.parquet", rows))
    assert named.image == "y.jpg" and set(kept) == {"y.jpg"}


def test_no_caption_and_no_picture_are_told(write, skim) -> None:
    lines = [
        {"file_name": "1.jpg", "title": "A dog."},
        {"caption": "A dog."},
        {"file_name": "1.jpg", "caption": "A dog.", "human": 3},
    ]
    records, problems = skim("huggingface", write("metadata.jsonl", "\n".join(map(json.dumps, lines))))
    assert not records
    assert [(bad.row, bad.field) for bad in problems] == [(1, "caption"), (2, "image"), (3, "human")]


@pytest.mark.parametrize("kind", ["new_stream", "new_file"])
def test_arrow_files_as_save_to_disk_writes_them_are_read(tmp_path: Path, read, kind: str) -> None:
    import pyarrow
    from pyarrow import ipc

    path = tmp_path / "data-00000-of-00001.arrow"
    rows = [{"jpg": "a.jpg", "text": "A dog."}, {"jpg": "b.jpg", "text": "A cat."}]
    table = pyarrow.Table.from_pylist(rows)
    with path.open("wb") as file, getattr(ipc, kind)(file, table.schema) as writer:
        writer.write_table(table)
    assert [(one.image, one.candidate) for one in read("huggingface", path)] == [
        ("a.jpg", "A dog."),
        ("b.jpg", "A cat."),
    ]
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(BadFile, match="is not an Arrow file"):
        read("huggingface", path)


@pytest.mark.parametrize("field", ["captions", "caption"])
def test_each_of_a_list_of_captions_is_a_sample(write, read, field: str) -> None:
    path = write("metadata.jsonl", json.dumps({"id": "7", "image": "a.jpg", field: ["A dog.", "A hound."]}) + "\n")
    records = read("huggingface", path)
    assert [(one.key, one.candidate, one.image) for one in records] == [
        ("7#1", "A dog.", "a.jpg"),
        ("7#2", "A hound.", "a.jpg"),
    ]


@pytest.mark.parametrize("missing", ["image", "caption"])
def test_a_row_without_a_known_field_names_its_fields_and_the_option(write, missing: str) -> None:
    rows = [{"image": "a.png", "caption": "A dog.", "speaker": "K7"}]
    rows[0]["foo"] = rows[0].pop(missing)
    for name in ("jsonl", "huggingface"):
        path = write("mine.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        with pytest.raises(BadRow, match=rf"--column {missing}=FIELD.*speaker.*foo"):
            list(format_named(name).read(path, raise_bad))


def test_a_column_of_plain_bytes_holds_pictures(tmp_path: Path) -> None:
    path = parquet(
        tmp_path / "plain.parquet", [{"image": PICTURE, "caption": "A dog."}, {"image": None, "caption": "x"}]
    )
    with pytest.raises(BadRow, match="row 2.*image"):
        held("huggingface", path)
    rows = [
        {"image": PICTURE, "caption": "A dog.", "file_name": None},
        {"image": PICTURE + b"2", "caption": "A cat.", "file_name": "c.jpg"},
    ]
    records, kept = held("huggingface", parquet(tmp_path / "plain.parquet", rows))
    assert [(one.image, one.candidate) for one in records] == [("plain-1", "A dog."), ("c.jpg", "A cat.")]
    assert kept == {"plain-1": PICTURE, "c.jpg": PICTURE + b"2"}
