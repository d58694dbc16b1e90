from pathlib import Path

import pytest

from core.captions.facts import Fact
from core.captions.gold_graphs import GoldGraph, read_gold_graphs
from core.errors import BadFile, BadRow


def written(folder: Path, text: str) -> Path:
    file = folder / "graphs.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_rows_are_captions_with_their_facts(tmp_path: Path) -> None:
    file = written(tmp_path, 'image_id,caption,scene_graph\n1,"pig, big","( pig , is , big )"\n')
    assert read_gold_graphs(file) == [GoldGraph("pig, big", (Fact("pig", "is", "big"),))]


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="found no scene_graph"):
        read_gold_graphs(written(tmp_path, "caption\npig\n"))


def test_a_missing_file_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        read_gold_graphs(tmp_path / "none.csv")


def test_a_graph_without_facts_names_its_row(tmp_path: Path) -> None:
    with pytest.raises(BadRow, match="row 3, field scene_graph"):
        read_gold_graphs(written(tmp_path, 'caption,scene_graph\npig,( pig )\npig,""\n'))


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "graphs.csv"
    file.write_bytes(b"caption,scene_graph\n\xff\xfe,( a )\n")
    with pytest.raises(BadFile, match="UTF-8"):
        read_gold_graphs(file)
