"""Writers who wait: few of them, and none behind a database that another program holds."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from core.errors import StorageBusy
from storage.engine.writer_turns import HELD_S, MOST_WAITING, Turns
from tests.making import opened_again
from ui.services.workplace import Workplace

SAFETY_S = 60.0


def write(turns: Turns) -> None:
    with turns.take(SAFETY_S):
        turns.begun()


def test_a_writer_comes_after_the_one_before_has_ended() -> None:
    turns = Turns()
    with ThreadPoolExecutor(1) as pool:
        with turns.take(0):
            turns.begun()
            with pytest.raises(StorageBusy, match="other writers"), turns.take(0):
                pass
            writer = pool.submit(write, turns)
        assert writer.result(SAFETY_S) is None


def test_more_writers_than_may_wait_are_told_and_the_others_get_their_turn() -> None:
    turns = Turns()
    with ThreadPoolExecutor(MOST_WAITING) as pool:
        with turns.take(0):
            turns.begun()
            writers = [pool.submit(write, turns) for _ in range(MOST_WAITING)]
            while turns.waiting < MOST_WAITING:
                pass
            with pytest.raises(StorageBusy), turns.take(SAFETY_S):
                pass
        assert [writer.result(SAFETY_S) for writer in writers] == [None] * MOST_WAITING


def test_whoever_waits_behind_a_held_database_is_told() -> None:
    now = 0.0
    turns = Turns(lambda: now)
    with turns.take(SAFETY_S):
        assert not turns.is_held
        now = HELD_S * 2
        assert turns.is_held
        with pytest.raises(StorageBusy), turns.take(SAFETY_S):
            pass
        turns.begun()
        assert not turns.is_held


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
