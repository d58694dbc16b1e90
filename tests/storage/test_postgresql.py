"""What PostgreSQL needs done otherwise than SQLite, and what it does when things go wrong."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from core.datasets.base import Record
from core.errors import BadSetting, InvalidRating, StorageBusy, StorageUnavailable
from core.types import ImageRef, Score
from storage import Repository, open_repository
from storage.data.search import found_ids
from storage.engine.migration import downgrade, migrate
from storage.types import Search
from tests.conftest import copied
from tests.making import answer_all, make_study, note, opened_again, rating
from tests.postgresql import Postgres
from ui.services.workplace import Workplace


@pytest.fixture(scope="module")
def kind() -> str:
    return "postgresql"


def terminate(repository: Repository) -> None:
    """End every connection to a database but the one that does it, as a restart of PostgreSQL would."""
    others = "datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'capscope-%'"
    with repository.database.read() as connection:
        connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"))


def test_a_writer_who_has_only_read_so_far_lets_no_other_process_between(birds: Workplace) -> None:
    other = opened_again(birds)  # takes no turns with the first, like another process

    def second() -> None:
        with other.database.write() as connection:
            notice = connection.scalar(text("SELECT notice FROM datasets"))
            connection.execute(text("UPDATE datasets SET notice = :next"), {"next": f"{notice}, second"})

    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    with ThreadPoolExecutor(1) as pool:
        with birds.repository.database.write() as connection:
            ran = pool.submit(second)
            while connection.scalar(text(waiting)) == 0:
                assert not ran.done()
            connection.execute(text("UPDATE datasets SET notice = 'first'"))
        ran.result()
    assert birds.repository.samples.datasets()[0].notice == "first, second"
    other.close()


def test_a_writer_waits_for_another_programs_transaction_only_so_long(birds: Workplace) -> None:
    other = opened_again(birds)
    with birds.repository.database.write(), pytest.raises(StorageBusy, match="locked by another program"):
        with other.database.write(patience_s=0.05):
            pass
    assert other.raters.add("K7").code == "K7"
    other.close()


def test_what_is_read_in_one_transaction_is_of_one_moment_and_cannot_write(birds: Workplace) -> None:
    with birds.repository.database.read() as connection:
        before = connection.scalar(text("SELECT count(*) FROM raters"))
        birds.repository.raters.add("K7")
        assert connection.scalar(text("SELECT count(*) FROM raters")) == before
        with pytest.raises(StorageUnavailable, match="is read-only"), birds.repository.database.read() as second:
            second.execute(text("DELETE FROM raters"))


def test_a_restart_of_the_server_is_not_noticed_by_those_who_come_after_it(birds: Workplace) -> None:
    birds.repository.raters.add("K7")
    other = opened_again(birds)
    terminate(other)
    assert birds.repository.raters.add("K8").code == "K8"
    other.close()


def test_a_writer_whose_connection_ends_is_told_and_stores_nothing(birds: Workplace) -> None:
    other = opened_again(birds)
    with pytest.raises(StorageUnavailable, match="cannot be reached"), birds.repository.database.write() as connection:
        connection.execute(text("UPDATE datasets SET notice = 'half'"))
        terminate(other)
        connection.execute(text("UPDATE datasets SET notice = 'whole'"))
    assert birds.repository.samples.datasets()[0].notice == ""
    other.close()


@pytest.mark.parametrize(
    ("deeds", "told"),
    [
        (["DROP DATABASE {} WITH (FORCE)"], "cannot be reached"),
        (["DROP DATABASE {} WITH (FORCE)", "CREATE DATABASE {}"], "was replaced"),
    ],
    ids=["taken away", "replaced"],
)
def test_a_database_that_is_no_longer_the_one_that_was_opened_is_told(
    postgres: Postgres, deeds: list[str], told: str
) -> None:
    with postgres.copy("empty") as address:
        repository = open_repository(address)
        repository.raters.add("K7")
        postgres.do(*(deed.format(repository.database.engine.url.database) for deed in deeds))
        with pytest.raises(StorageUnavailable, match=told):
            repository.raters.add("K8")
        repository.close()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en' LOCALE 'C.UTF-8'", "createdb .*--locale=C.UTF-8 odd"),
        ("TEMPLATE template0 ENCODING LATIN1 LOCALE 'C'", "not in UTF-8"),
    ],
    ids=["a language", "another encoding"],
)
def test_a_database_that_would_sort_or_keep_texts_otherwise_is_refused(
    postgres: Postgres, options: str, told: str
) -> None:
    postgres.do(f"CREATE DATABASE odd {options}")
    with pytest.raises(BadSetting, match=told):
        open_repository(postgres.url("odd"))
    postgres.do("DROP DATABASE odd")


def test_an_address_that_leads_nowhere_is_refused_without_its_password(postgres: Postgres) -> None:
    address = postgres.url("none").replace("capscope@", "capscope:secret@")
    with pytest.raises(BadSetting, match=r"capscope:\*\*\*@.*does not exist.*check CAPSCOPE_DATABASE") as refused:
        open_repository(address)
    assert "secret" not in str(refused.value)


def test_a_text_that_postgresql_cannot_hold_loses_no_answer(birds: Workplace) -> None:
    study, rater = make_study(birds), birds.repository.raters.add("K7")
    (item,) = birds.repository.desk.queue(study.id, rater, None, 1).items
    told = birds.repository.save(rater, [note(item, "a\0b"), rating(item, "consistency")])
    assert isinstance(told[0], InvalidRating) and told[1] is None
    (item,) = birds.repository.desk.queue(study.id, rater, 1, 1).items
    assert item.note == "" and len(list(birds.repository.studies.records(study.id))) == 1


def test_what_numbers_its_own_rows_and_what_does_not_take_turns(workplace: Workplace) -> None:
    repository = workplace.repository

    def take_in(key: str) -> None:
        record = Record(Path("f"), 1, "a.jpg", f"caption {key}", key=key, scores=(Score("M", 0.5, "M"),))
        repository.add_records("d", [record], {"a.jpg": ImageRef("a.jpg")}, pytest.fail)

    take_in("a")
    repository.scores.save(1, Score("N", 0.5, "N"))
    take_in("b")
    repository.scores.save(2, Score("N", 0.5, "N"))
    scores = [score for sample in (1, 2) for score in repository.samples.get(sample).score_ids]
    assert scores == [1, 2, 3, 4]


@pytest.mark.parametrize("deed", ["TRUNCATE events", "TRUNCATE audit", "TRUNCATE raters CASCADE"])
def test_the_logs_cannot_be_emptied_at_once_either(birds: Workplace, deed: str) -> None:
    birds.repository.audit.add("ada", "study made", "study 1")
    with pytest.raises(IntegrityError, match="only be added"), birds.repository.database.write() as connection:
        connection.execute(text(deed))


@pytest.fixture
def own_birds(postgres_birds: Postgres, birds_folder: Path, tmp_path: Path) -> Iterator[Workplace]:
    """The data set birds in a database of its own, whose tables may change."""
    with postgres_birds.copy("birds") as address, copied(birds_folder, tmp_path / "own", address) as workplace:
        yield workplace


def test_tables_with_rows_go_down_and_up(own_birds: Workplace) -> None:
    study = make_study(own_birds, size=3)
    answer_all(own_birds.repository, study, own_birds.repository.raters.add("K7"))
    engine, bounds = (
        own_birds.repository.database.engine,
        "SELECT DISTINCT lowest FROM ratings WHERE criterion = 'factuality'",
    )

    def lowest() -> int | None:
        with own_birds.repository.database.read() as connection:
            found: int | None = connection.scalar(text(bounds))
            return found

    downgrade(engine, "0010")
    assert lowest() == 1
    migrate(engine)
    assert lowest() == -1  # "no picture"
    downgrade(engine, "base")
    migrate(engine)
    assert own_birds.repository.samples.datasets() == ()


def test_a_claim_outlives_the_longest_idle_time_of_a_session(workplace: Workplace) -> None:
    database = workplace.repository.database
    with database.write() as connection:
        name = connection.scalar(text("SELECT current_database()"))
        connection.execute(text(f'ALTER DATABASE "{name}" SET idle_session_timeout = 50'))
    database.engine.dispose()  # new connections end after 50 ms
    try:
        with database.dialect.claim(database.engine, "maker"):
            with database.read() as connection:
                connection.execute(text("SELECT pg_sleep(0.2)"))  # four times as long as the claim may be idle
            assert database.dialect.is_claimed(database.engine, "maker")
    finally:  # other tests use this database later
        with database.write() as connection:
            connection.execute(text(f'ALTER DATABASE "{name}" RESET idle_session_timeout'))
        database.engine.dispose()


@pytest.mark.parametrize("is_allowed", [True, False])
def test_a_search_goes_by_letters_where_the_extension_may_be_added_and_else_reads_every_row(
    own_birds: Workplace, is_allowed: bool
) -> None:
    database = own_birds.repository.database
    downgrade(database.engine, "0030")
    with database.engine.begin() as connection:
        connection.execute(text("DROP EXTENSION pg_trgm"))
        if not is_allowed:
            body = "BEGIN RAISE insufficient_privilege; END"
            connection.execute(
                text(f"CREATE FUNCTION refuse_extension() RETURNS event_trigger LANGUAGE plpgsql AS $$ {body} $$")
            )
            connection.execute(
                text(
                    "CREATE EVENT TRIGGER refused ON ddl_command_start WHEN TAG IN ('CREATE EXTENSION') "
                    "EXECUTE FUNCTION refuse_extension()"
                )
            )
    migrate(database.engine)
    wanted = Search("birds", "with NUMBER 3")
    with database.read() as connection:
        connection.execute(text("SET LOCAL enable_seqscan = off"))
        explained = str(found_ids(wanted).compile(connection.engine, compile_kwargs={"literal_binds": True}))
        plan = " ".join(
            connection.exec_driver_sql(f"EXPLAIN {explained.replace('%%', '%').replace('%', '%%')}").scalars()
        )
    assert ("ix_samples_candidate_letters" in plan) == is_allowed
    assert own_birds.repository.samples.search(wanted, 0, 9).total == 1
