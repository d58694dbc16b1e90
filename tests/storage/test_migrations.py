import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, text

from core.regions import masks
from core.types import ImageRegion
from storage import open_repository
from storage.engine.database import open_database
from storage.engine.migration import downgrade, migrate, revisions
from storage.tables import Table
from tests.making import answer_all, make_study, note, reveal
from ui.services.workplace import Workplace

RATINGS_TABLES = {"raters", "studies", "participations", "study_criteria", "items", "assignments", "item_scores"}
RATINGS_TABLES |= {"events", "ratings"}
DOOR_TABLES = {"accounts", "password_links", "study_links", "sessions", "audit"}
LIFE_TABLES = {"exclusions", "releases", "erasures"}
REGION = '[["abc", 4, 6, "dog", false, 0.7, null]]'
SAMPLE_TABLES = {"datasets", "images", "samples", "scores"}


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"


def filled(birds: Workplace) -> Workplace:
    """Give every table rows."""
    study = make_study(birds, form="side_by_side", size=3, raters_per_item=2)
    rater = birds.repository.raters.add("K7")
    answer_all(birds.repository, study, rater)
    (item,) = birds.repository.desk.queue(study.id, rater, 1, 1).items
    birds.repository.save(rater, [reveal(item), note(item, "blurred")])
    birds.repository.links.enter(birds.repository.links.make(study.id, "K7", 2)[0], "", "Firefox")
    account = birds.repository.accounts.add("ada", "admin")
    birds.repository.accounts.new_link(account.name, timedelta(days=1))
    birds.repository.sessions.start_account(account, "Firefox")
    birds.repository.audit.add("ada", "study made", "study 1")
    whole = ImageRegion(masks.full((48, 64)), (48, 64), "sky")
    birds.repository.annotate("birds", {"secretpicture-0.png": [whole]})
    return birds


def contents(workplace: Workplace) -> dict[str, list[tuple]]:
    """Return every table's rows, without what later tables have beside the first ones' columns."""
    with workplace.repository.database.read() as connection:
        tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sample_texts%' ORDER BY name"
        names = connection.scalars(text(tables)).all()
        rows = {name: connection.execute(text(f'SELECT * FROM "{name}"')).mappings().all() for name in names}
    return {name: sorted(map(_facts, found), key=repr) for name, found in rows.items() if name != "alembic_version"}


LATER = (
    "changes",
    "vocabulary",
    "cut",
    "encoder",
    "seen_at",
    "pilot",
    "slot",
    "released_at",
    "given_at",
    "usage",
    "seconds",
    "hidden",
    "reached",
    "takers",
    "reopened",
    "system",
    "benchmark",
    "own",
)  # columns that came after the first tables


def _facts(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(value for name, value in row.items() if name not in LATER)


def schema(path: Path) -> dict[str, str]:
    """Return the SQL of every table and index, with the parts inside brackets in one order."""
    with sqlite3.connect(path) as connection:
        found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql != ''")
        others = ("alembic_version", "sample_texts")  # no tables of ours: of alembic, and of SQLite's search
        return {name: _ordered(sql) for name, sql in found if not name.startswith(others)}


def _ordered(sql: str) -> str:
    inside = sql[sql.index("(") + 1 : sql.rindex(")")]
    parts = re.split(r",\s*\n|, (?=\w+ [A-Z])", inside)  # SQLite writes a column that was added behind a comma
    return "\n".join(sorted(" ".join(part.replace('"', "").split()) for part in parts))


def test_a_database_with_data_goes_down_and_up_again_and_keeps_its_samples(birds: Workplace) -> None:
    before = contents(filled(birds))
    assert all(before[name] for name in SAMPLE_TABLES | RATINGS_TABLES | DOOR_TABLES)
    engine = birds.repository.database.engine

    downgrade(engine, "0001")
    assert contents(birds) == {name: before[name] for name in SAMPLE_TABLES}

    migrate(engine)
    after = contents(birds) | {"dataset_counts": []}  # are counted again
    assert after == {name: rows if name in SAMPLE_TABLES else [] for name, rows in before.items()}
    study = make_study(birds, size=2)
    answer_all(birds.repository, study, birds.repository.raters.add("K8"))
    assert birds.repository.studies.progress(study.id)[0].done == study.items


def test_a_database_from_before_there_were_regions_keeps_everything_else(birds: Workplace) -> None:
    before = contents(filled(birds))
    engine = birds.repository.database.engine
    downgrade(engine, "0003")
    assert "annotations" not in contents(birds)
    migrate(engine)
    after = contents(birds)
    assert (len(before["annotations"]), after["annotations"]) == (1, [])
    kept = before.keys() - DOOR_TABLES - LIFE_TABLES - {"annotations", "study_forms", "dataset_counts"}
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    assert [study.overlay for study in birds.repository.studies.all()] == [False]


# metric, signature, value, regions, error's kind and message, as 0.1.0 stored them; then cut and encoder
OLD_SCORES = [
    (("HICE-S", "HICE-S|cut:0.8|encoder:labels/m@1|w:1.0", 0.5, REGION, None, None), (0.8, "labels/m@1")),
    (("RefHICE-S", "RefHICE-S|cut:0.5|encoder:alpha-clip/a@9|w:2.5", 0.5, REGION, None, None), (0.5, "alpha-clip/a@9")),
    (("Another", "Another|source:imported", 0.5, REGION, None, None), (None, None)),
    (("FLEUR", "FLEUR|cut:0.8|encoder:none", 0.5, "[]", None, None), (None, None)),
]
OLD_ERRORS = {
    ("references_required", "Why."): ("missing_references", "Why."),
    ("no_text", "Why."): ("missing_text", "Why."),
    ("no_regions", "Why."): ("missing_regions", "Why."),
    ("bad_image", "Why."): ("bad_image", "Why."),
    ("no_score", "Why."): ("no_score", "Why."),
    ("Time-out", "Why."): ("other", "Time-out: Why."),
}


def test_scores_of_the_first_version_get_their_cut_their_encoder_and_a_known_kind_of_error(birds: Workplace) -> None:
    engine = birds.repository.database.engine
    downgrade(engine, "0006")
    insert = text(
        "INSERT INTO scores (sample_id, metric, signature, value, scale_low, scale_high, components, rationales, "
        "phrases, regions, explained, error_kind, error_message) "
        "VALUES (1, :metric, :signature, :value, 0, 1, '{}', '{}', '[]', :regions, 0, :kind, :message)"
    )
    names = ("metric", "signature", "value", "regions", "kind", "message")
    errors = [("E", f"E|{kind}", None, "[]", kind, message) for kind, message in OLD_ERRORS]
    with engine.begin() as connection:
        for row in [*(row for row, _ in OLD_SCORES), *errors]:
            connection.execute(insert, dict(zip(names, row, strict=True)))
    migrate(engine)
    outcomes = {outcome.signature: outcome for outcome in birds.repository.samples.get(1).outcomes}
    for (_, signature, *_), found in OLD_SCORES:
        explanation = outcomes[signature].explanation
        assert (explanation.cut, explanation.encoder) == found
    for (kind, _), found in OLD_ERRORS.items():
        assert (outcomes[f"E|{kind}"].kind, outcomes[f"E|{kind}"].message) == found


def test_ratings_of_factuality_keep_their_points_when_abstaining_becomes_possible_and_back(birds: Workplace) -> None:
    bounds = "SELECT lowest, highest, count(*) FROM {} WHERE criterion = 'factuality' GROUP BY 1, 2"
    others = "SELECT count(*) FROM {} WHERE criterion != 'factuality'"
    repository = filled(birds).repository
    before = contents(birds)

    def counted(query: str) -> list[list[Any]]:
        with repository.database.read() as connection:
            return [list(connection.execute(text(query.format(table)))) for table in ("study_criteria", "ratings")]

    rest = counted(others)
    downgrade(repository.database.engine, "0010")
    assert counted(bounds) == [[(1, 4, 1)], [(1, 4, 9)]]
    migrate(repository.database.engine)
    assert counted(bounds) == [[(-1, 4, 1)], [(-1, 4, 9)]]
    assert counted(others) == rest
    assert contents(birds) | {"study_forms": []} == before | {"study_forms": []}
    with repository.database.read() as connection:
        assert connection.execute(text("PRAGMA foreign_key_check")).all() == []


def test_a_database_with_data_goes_all_the_way_down_and_up(birds: Workplace) -> None:
    engine = filled(birds).repository.database.engine
    downgrade(engine, "base")
    assert contents(birds) == {}
    migrate(engine)
    assert contents(birds) == dict.fromkeys(Table.metadata.tables, [])


def test_the_log_is_protected_again_after_going_down_and_up(birds: Workplace) -> None:
    def triggers() -> list[str]:
        with birds.repository.database.read() as connection:
            query = "SELECT sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
            return list(connection.scalars(text(query)))

    before = triggers()
    downgrade(birds.repository.database.engine, "0001")
    assert triggers() == []
    migrate(birds.repository.database.engine)
    assert triggers() == before
    assert len([one for one in before if not one.startswith(("CREATE TRIGGER count", "CREATE TRIGGER text"))]) == 14


def test_opening_a_database_again_changes_nothing(birds: Workplace) -> None:
    before = contents(filled(birds))
    path = birds.data_dir / "capscope.db"
    open_repository(path).close()
    assert contents(birds) == before


def test_the_newest_file_of_migrations_is_where_alembic_ends(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'a.db'}")
    with database.read() as connection:
        assert MigrationContext.configure(connection).get_current_revision() == revisions()[-1]
    database.close()


def test_a_database_of_each_earlier_revision_is_brought_up_to_date_when_it_is_opened(
    empty_folder: Path, tmp_path: Path
) -> None:
    present, earlier = schema(empty_folder / "capscope.db"), tmp_path / "earlier.db"
    engine = create_engine(f"sqlite:///{earlier}")
    for revision in revisions()[:-1]:
        migrate(engine, revision)
        opened = Path(shutil.copy(earlier, tmp_path / f"{revision}.db"))
        assert schema(opened) != present
        open_database(f"sqlite:///{opened}").close()
        assert schema(opened) == present
    engine.dispose()


def test_before_a_database_is_changed_a_copy_with_what_its_log_holds_is_kept_and_said(
    birds: Workplace, caplog: pytest.LogCaptureFixture
) -> None:
    path, last = birds.data_dir / "capscope.db", revisions()[-2]
    downgrade(filled(birds).repository.database.engine, last)
    before = contents(birds)
    open_repository(path).close()
    copy = birds.data_dir / f"capscope.db.before-leaving-{last}"
    assert f"replace {path} with {copy}" in caplog.text
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(last,)]
        assert len(connection.execute("SELECT * FROM events").fetchall()) == len(before["events"]) > 0
    connection.close()
    open_repository(path).close()
    assert len(list(birds.data_dir.glob("*before-leaving*"))) == 1


def test_a_database_that_is_up_to_date_is_opened_without_alembic(empty_folder: Path, tmp_path: Path) -> None:
    places = [shutil.copy(empty_folder / "capscope.db", tmp_path / "present.db"), tmp_path / "new.db"]
    code = "import sys; from storage.engine.database import open_database"
    code += "".join(f"; open_database('sqlite:///{place}'); print('alembic' in sys.modules)" for place in places)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stdout.split() == ["False", "True"]


def is_ours(name: str | None, kind: str, _: Any) -> bool:
    return kind != "table" or not str(name).startswith("sample_texts")


def test_the_migrations_make_the_tables_that_the_code_knows(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'a.db'}")
    with database.read() as connection:
        options = {"compare_type": True, "compare_server_default": True, "include_name": is_ours}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, Table.metadata) == []
    database.close()


def test_the_migrations_make_the_checks_that_the_code_knows(tmp_path: Path) -> None:
    open_database(f"sqlite:///{tmp_path / 'migrated.db'}").close()
    engine = create_engine(f"sqlite:///{tmp_path / 'made.db'}")
    Table.metadata.create_all(engine)
    engine.dispose()
    migrated, made = schema(tmp_path / "migrated.db"), schema(tmp_path / "made.db")
    assert migrated == made
    assert "CHECK" in made["ratings"] and "FOREIGN KEY" in made["ratings"]


@pytest.mark.parametrize("name", ["100 % mine", "what?", "a#b", "a:b@c", "ünï", "%(here)s"])
def test_a_data_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    repository = open_repository(folder / "capscope.db")
    assert repository.raters.add("K7").code == "K7"
    repository.close()
    assert (folder / "capscope.db").is_file()
