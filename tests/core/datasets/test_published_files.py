"""The list of published data: every row is complete, and the files at hand are what it says."""

import gzip
import re
from pathlib import Path

import pytest

from core.datasets import format_named
from core.datasets.published_files import PUBLISHED, published_named
from core.errors import NotFound
from tests.published_copies import COPIES


def test_every_row_has_a_reader_a_licence_a_citation_and_pinned_files_of_its_own() -> None:
    for data in PUBLISHED:
        assert format_named(data.format) and data.summary and data.licence and data.pictures and data.files
        assert re.search(r"\((19|20)\d\d\)", data.citation) and re.fullmatch(r"[0-9a-f]{40}", data.commit)
    files = [file for data in PUBLISHED for file in data.all_files]
    assert all(re.fullmatch(r"[0-9a-f]{40}", file.blob or "") and ".." not in file.path for file in files)
    names = [data.name for data in PUBLISHED]
    assert not {"all", *(data.group for data in PUBLISHED)} & set(names)
    assert len({file.blob for file in files}) == len(files) and len(set(names)) == len(names)


def test_a_group_means_all_its_rows_and_all_means_every_row() -> None:
    assert [data.name for data in published_named("polaris-exp")] == ["polaris-exp-val", "polaris-exp-train"]
    assert [data.name for data in published_named("thumb")] == ["thumb"]
    assert published_named("all") == PUBLISHED


def test_an_unknown_name_is_refused_with_the_closest_one() -> None:
    told = r"no published data set 'flickr8k-expertt'\. There are: flickr8k-expert, .*\. Did you mean flickr8k-expert\?"
    with pytest.raises(NotFound, match=told):
        published_named("flickr8k-expertt")


def test_the_copies_at_hand_have_the_checksums_and_sizes_of_the_list(shared_dir: Path, tmp_path: Path) -> None:
    for path, copy in COPIES.items():
        (file,) = (file for data in PUBLISHED for file in data.all_files if file.path == path)
        stored = (shared_dir / "data" / copy).read_bytes()
        written = tmp_path / "file"
        written.write_bytes(gzip.decompress(stored) if copy.endswith(".gz") else stored)
        assert file.flaw(written) is None and file.size == written.stat().st_size and file.sha256
