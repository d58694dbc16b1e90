from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import StorageFull
from core.long_work.spool import AT_A_TIME, IN_MEMORY, Spool


@dataclass(frozen=True, slots=True)
class Point:
    x: float
    y: float = 0.5


@given(st.integers(0, 3 * AT_A_TIME + 1), st.integers(0, 3))
def test_items_come_back_in_order_as_often_as_one_asks(count: int, times: int) -> None:
    with Spool[Point]() as spool:
        points = [Point(n) for n in range(count)]
        for point in points:
            spool.append(point)
        assert len(spool) == count
        for _ in range(times):
            assert list(spool) == points


def test_readers_do_not_disturb_each_other_and_items_may_follow() -> None:
    with Spool[int]() as spool:
        for n in range(2 * AT_A_TIME + 5):
            spool.append(n)
        pairs = list(zip(spool, spool, strict=True))
        next(iter(spool))
        for n in range(2 * AT_A_TIME + 5, 4 * AT_A_TIME):
            spool.append(n)
        assert pairs == [(n, n) for n in range(2 * AT_A_TIME + 5)]
        assert list(spool) == list(range(4 * AT_A_TIME))


def test_a_long_list_is_a_file_without_a_name(tmp_path: Path) -> None:
    with Spool[bytes](tmp_path) as spool:
        for _ in range(2 * AT_A_TIME):
            spool.append(bytes(IN_MEMORY // AT_A_TIME))
        assert not list(tmp_path.iterdir())
        assert sum(map(len, spool)) == 2 * AT_A_TIME * (IN_MEMORY // AT_A_TIME)


def test_a_full_disk_is_told_in_words() -> None:
    with Spool[int]() as spool, open("/dev/full", "r+b", buffering=0) as full:
        spool._file.close()
        spool._file = full  # type: ignore[assignment]
        with pytest.raises(StorageFull):
            for n in range(AT_A_TIME):
                spool.append(n)
