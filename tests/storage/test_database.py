from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from sqlalchemy import func, insert, select

from storage.engine.database import open_database, utc_now
from storage.tables import RaterRow

WRITERS = 30  # more than there are connections in the pool
MOST_READS = 100_000  # until the first of them waits


def test_writers_who_wait_for_their_turn_leave_connections_to_readers(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'turns.db'}")
    count = select(func.count()).select_from(RaterRow)
    waiting: list[int] = []
    started = Barrier(WRITERS + 1)

    def writer(number: int) -> Callable[[], None]:
        def write() -> None:
            started.wait()
            with database.write() as connection:
                connection.execute(insert(RaterRow).values(code=f"R{number}", created_at=utc_now()))

        return write

    with ThreadPoolExecutor(WRITERS) as pool:
        with database.write():
            writers = [pool.submit(writer(number)) for number in range(WRITERS)]
            started.wait()
            while len(waiting) < 200 or (len(waiting) < MOST_READS and not any(waiting)):
                with database.read() as connection:
                    assert connection.scalar(count) == 0
                waiting.append(database.engine.pool.checkedout())  # type: ignore[attr-defined]
        for result in writers:
            result.result()
    assert max(waiting) == 1  # the writer whose turn it is
    with database.read() as connection:
        assert connection.scalar(count) == WRITERS
    database.close()
