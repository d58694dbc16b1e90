"""What holds for every format: names, file-level errors, progress, laziness."""

import gzip
import json
from pathlib import Path

import pytest

from core.datasets import BENCHMARKS, FORMATS, files, format_named
from core.datasets.base import Layout, Source
from core.errors import BadFile, BadSetting, UserError

BROKEN = {
    "empty": b"",
    "blank": b" \n\n  \n",
    "not utf-8": '{"caption": "café"}'.encode("latin-1"),
    "utf-16": '[{"caption": "x"}]'.encode("utf-16"),
    "cut off": b'[{"id": "val_1", "imgid',
    "too deep": b"[" * 200_000,
    "a number too long to read": b"[" + b"1" * 5000 + b"]",
}
JSON_FORMATS = [known for known in FORMATS if known.suffixes == (".json",)]


def test_each_benchmark_has_its_papers_tau() -> None:
    taus = {known.name: known.tau for known in BENCHMARKS if not known.counts_pairs}
    assert taus["flickr8k-cf"] == "b"
    assert {taus[name] for name in ("flickr8k-expert", "composite", "polaris", "nebula")} == {"c"}
    assert {"pascal50s", "foil"} <= {known.name for known in BENCHMARKS if known.counts_pairs}
    assert len({known.name for known in BENCHMARKS}) == len(BENCHMARKS)


def test_a_packed_file_that_is_cut_off_is_told(write, read) -> None:
    content = gzip.compress(b'{"image": "a.jpg", "caption": "A dog."}' * 99)
    for name, broken in (("cut.jsonl.gz", content[:-20]), ("wrong.jsonl.gz", content[:9] + b"\xff" * 60)):
        with pytest.raises(BadFile, match=f"^{name}: the gzip file is broken"):
            read("jsonl", write(name, broken))


def test_an_archive_of_a_study_is_told_apart_from_a_file_to_import(write, read) -> None:
    with pytest.raises(BadFile, match="reads the archive of a study"):
        read("jsonl", write("study.capscope.db", b"SQLite format 3\0\x10\xca"))


def test_a_small_file_that_unpacks_to_far_more_is_refused(write, read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_UNPACKED", 10_000)
    monkeypatch.setattr(files, "MOST_JSON", 10_000)
    with pytest.raises(BadFile, match="unpacks to more than 100 times"):
        read("jsonl", write("blank.jsonl.gz", gzip.compress(b" \n" * 1_000_000)))
    with pytest.raises(BadFile, match="more than 10,000 bytes"):
        read("polaris-exp", write("large.json.gz", gzip.compress(b" " * 20_000)))


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_a_file_of_another_kind_is_a_users_error_of_one_line(known, tmp_path: Path) -> None:
    path = tmp_path / "broken.txt"
    for content in BROKEN.values():
        path.write_bytes(content)
        with pytest.raises(UserError) as caught:
            list(known.read(Source(path)))
        told = str(caught.value)
        assert "broken.txt" in told and "\n" not in told and len(told) < 500, (content, told)
    for content in ["text", 1, None, True, [], {}] if known in JSON_FORMATS else ():
        path.write_text(json.dumps(content))
        with pytest.raises(BadFile):
            list(known.read(Source(path)))
    with pytest.raises(BadFile, match="there is no file"):
        known.read(Source(tmp_path / "absent.json"))
    with pytest.raises(BadFile, match="it is a folder"):
        known.read(Source(tmp_path))


def test_a_file_that_may_not_be_read_is_told_by_name(write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("a.jsonl", '{"image": "a.jpg", "caption": "A dog."}')

    def refuse(*arguments: object, **options: object) -> None:  # the tests may run as root, whom no mode keeps out
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(
        BadFile, match=r"^a\.jsonl: the file cannot be read \(Permission denied\); check the read permissions"
    ):
        format_named("jsonl").read(Source(path))


def test_a_metric_name_is_taken_only_where_the_file_names_none(write) -> None:
    path = write("a.jsonl", '{"image": "a.jpg", "caption": "A dog."}')
    with pytest.raises(BadSetting, match="contain the names of their metrics"):
        format_named("nebula").read(Source(path, layout=Layout(metric="FLEUR")))
    with pytest.raises(BadSetting, match="No row has a field 'score', so there are no scores of FLEUR"):
        list(format_named("jsonl").read(Source(path, layout=Layout(metric="FLEUR"))))
    with pytest.raises(BadSetting, match="--column, --keep"):
        format_named("nebula").read(Source(path, layout=Layout(keep=("split",))))
    with pytest.raises(BadSetting, match="blank"):
        format_named("fleur-results").read(Source(path, layout=Layout(metric=" ")))


def test_progress_runs_up_to_the_total(write) -> None:
    seen: list[tuple[int, int]] = []
    path = write("a.jsonl", '{"image": "a.jpg", "caption": "A dog."}\n' * 3)
    list(format_named("jsonl").read(Source(path, on_progress=lambda done, total: seen.append((done, total)))))
    size = path.stat().st_size
    assert len(seen) == 3 and seen[-1] == (size, size)
    seen.clear()
    path = write("n.json", [{"imgid": "a", "mt": "b", "refs": [], "score": 0.5}] * 2)
    list(format_named("nebula").read(Source(path, on_progress=lambda done, total: seen.append((done, total)))))
    assert seen == [(1, 2), (2, 2)]
