from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import StorageFull
from storage.engine.disk_map import DiskMap


@given(
    st.lists(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=3), st.integers() | st.none()), max_size=5)
)
def test_a_map_on_disk_is_like_a_dictionary(parts: list[dict[str, int | None]]) -> None:
    expected: dict[str, int | None] = {}
    with DiskMap[str, int | None]() as kept:
        for part in parts:
            kept.put(part)
            expected |= part
            assert kept.found([*part, "none such"]) == part | {k: v for k, v in expected.items() if k == "none such"}
        assert dict(kept) == expected and list(kept) == list(expected) and len(kept) == len(expected)
        assert all(key in kept for key in expected) and "none such" not in expected
        with pytest.raises(KeyError):
            kept["\N{SNOWMAN} of no part"]


def test_the_file_has_no_name_and_is_gone_afterwards(tmp_path: Path) -> None:
    with DiskMap[bytes, tuple[int, ...]](tmp_path) as kept:
        kept.put({bytes([n]): (n,) for n in range(200)})
        assert list(tmp_path.iterdir()) == []
        assert kept[b"\x07"] == (7,)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    with DiskMap[int, bytes](tmp_path) as kept:
        kept._file.execute("PRAGMA max_page_count = 4")
        with pytest.raises(StorageFull):
            kept.put({n: bytes(5_000) for n in range(50)})
