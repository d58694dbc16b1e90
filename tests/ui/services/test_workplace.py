"""The data folder: whose it is, and what is missing in it."""

import os
import stat
from pathlib import Path

import pytest

from core.errors import BadFile, BadSetting
from ui.services.workplace import check_key, open_workplace
from ui.settings import Settings
from ui.web.security import Secret


def test_a_new_data_folder_is_its_owners_alone(tmp_path: Path) -> None:
    open_workplace(Settings(data_dir=tmp_path / "data")).repository.close()
    assert stat.S_IMODE(os.stat(tmp_path / "data").st_mode) == 0o700


def test_a_key_that_raters_are_known_by_is_not_made_anew_unasked(tmp_path: Path) -> None:
    workplace = open_workplace(Settings(data_dir=tmp_path))
    check_key(workplace)  # nobody rates yet
    workplace.repository.raters.add("K7")
    with pytest.raises(BadSetting, match="Put it back from a backup.*new-key"):
        check_key(workplace)
    Secret(tmp_path / "secret.key")
    check_key(workplace)
    workplace.repository.close()


@pytest.mark.parametrize("sign", ["secret.key", "thumbnails", "pictures"])
def test_an_empty_database_is_not_taken_for_a_new_one_where_there_has_been_one(tmp_path: Path, sign: str) -> None:
    (tmp_path / "capscope.db").touch()
    open_workplace(Settings(data_dir=tmp_path)).repository.close()  # a first start that was cut short
    (tmp_path / "capscope.db").write_bytes(b"")
    (tmp_path / sign).mkdir()
    with pytest.raises(BadFile, match="0 bytes.*restore a backup"):
        open_workplace(Settings(data_dir=tmp_path))
