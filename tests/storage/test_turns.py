"""Writers who wait: few of them, and none behind a database that another program holds."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from core.errors import StorageBusy
from tests.making import opened_again
from ui.services.workplace import Workplace

SAFETY_S = 60.0


def test_while_another_program_writes_one_writer_waits_and_readers_go_on(
    birds: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.engine.writer_turns.HELD_S", 0.0)
    other, database = opened_again(birds), birds.repository.database
    with ThreadPoolExecutor(1) as pool:
        with other.database.write() as connection:
            connection.execute(text("UPDATE datasets SET notice = 'unfinished'"))
            first = pool.submit(birds.repository.raters.add, "K1")
            while not database.is_held:
                pass
            for code in ("K2", "K3"):
                with pytest.raises(StorageBusy, match="Try again in a few seconds"):
                    birds.repository.raters.add(code)
            assert birds.repository.samples.datasets()[0].notice == ""
        assert first.result(SAFETY_S).code == "K1"
    assert birds.repository.raters.add("K2").code == "K2"
    other.close()


def test_a_session_is_known_while_another_program_writes(birds: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    rater = birds.repository.raters.add("K1")
    token = birds.repository.sessions.start_rater(rater, "x")
    with birds.repository.database.write() as connection:  # seen so long ago that the next request notes it
        connection.execute(text("UPDATE sessions SET seen_at = '2020-01-01 00:00:00'"))
    other = opened_again(birds)
    with other.database.write():
        assert birds.repository.sessions.rater(token) == rater
    other.close()
