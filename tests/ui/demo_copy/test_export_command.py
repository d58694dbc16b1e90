"""What `demo export` refuses before it begins, so that nobody's files are lost."""

from pathlib import Path

import pytest

from app import main


@pytest.mark.parametrize(
    ("name", "found"),
    [("README.md", "contains README.md, which is not from an earlier copy"), ("pictures", "contains pictures")],
)
def test_a_folder_with_files_of_the_same_names_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, found: str
) -> None:
    mine = tmp_path / name / "mine.txt" if "." not in name else tmp_path / name
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("mine")
    assert main(["demo", "export", str(tmp_path)], {}) == 2
    said = capsys.readouterr().err
    assert found in said and "--force" in said
    assert mine.read_text() == "mine" and [path for path in tmp_path.rglob("*") if path.is_file()] == [mine]


def test_a_file_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "copy").write_text("mine")
    assert main(["demo", "export", str(tmp_path / "copy")], {}) == 2
    assert "The copy needs a folder" in capsys.readouterr().err
