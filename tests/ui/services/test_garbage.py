"""The collector's pace is changed within a block, and is what it was afterwards."""

import gc

import pytest

from ui.services.importing.garbage_collection import rarely_collected


def test_the_collector_has_its_own_pace_again_after_an_error_too() -> None:
    before = gc.get_threshold()
    with pytest.raises(ValueError, match="stop"), rarely_collected():
        assert gc.get_threshold() == (50_000, *before[1:])
        raise ValueError("stop")
    assert gc.get_threshold() == before


def test_a_collector_that_is_switched_off_stays_off() -> None:
    before = gc.get_threshold()
    gc.set_threshold(0)
    try:
        with rarely_collected():
            assert gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*before)
