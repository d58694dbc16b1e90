"""Write the rows of one study into a new SQLite file: the study's archive.

The archive has the tables of a database, but only rows that the study's results need, and no private data. Rows are
copied one by one, so private values never enter the file, and PostgreSQL works like SQLite.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import URL, ColumnElement, Connection, Table, and_, insert, literal, select, union

from storage import tables as all_tables
from storage.engine.database import open_database
from storage.tables import AssignmentRow, CodingRow, ImageRow, ItemRow, ParticipationRow, SampleRow, StudyRow, VisitRow

ACCOUNT = "account"  # replaces the names of accounts
PRIVATE = frozenset(  # tables of which archives contain no rows
    ("accounts audit entry_answers epochs password_links platform_people sessions study_links").split()
)
_PICTURES = "CREATE TABLE archived_pictures (sha256 TEXT PRIMARY KEY, content BLOB NOT NULL)"
_AT_A_TIME = 1_000  # rows
# Gets a picture's path. Returns the picture without metadata, or None if the archive omits it.
Published = Callable[[Path], bytes | None]


def write_archive(connection: Connection, study: int, to: Path, published: Published | None) -> int:
    """Write a study's archive to a new file. Return the number of included pictures.

    connection: a reading transaction. published: None: the archive has no pictures.
    """
    open_database(URL.create("sqlite", database=str(to))).close()
    to.with_suffix(".lock").unlink(missing_ok=True)
    with closing(sqlite3.connect(to)) as file:  # an archive is only read, so it needs no triggers
        for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            file.execute(f"DROP TRIGGER {name}")
        file.execute(_PICTURES)
        file.execute("PRAGMA journal_mode=DELETE").fetchall()
    target = open_database(URL.create("sqlite", database=str(to)))
    pictures: dict[str, bytes] = {}
    of_study = _of_study(all_tables.Table.metadata.tables["codings"], study)
    named = connection.scalars(select(CodingRow.coder).where(of_study).distinct().order_by(CodingRow.coder))
    coders = {coder: f"coder {number}" for number, coder in enumerate(named, 1)}
    try:
        with target.write() as written:
            for table in all_tables.Table.metadata.sorted_tables:
                if table.name in PRIVATE:
                    continue
                query = select(table).where(_of_study(table, study)).order_by(*table.primary_key.columns)
                result = connection.execute(query, execution_options={"yield_per": _AT_A_TIME}).mappings()
                for rows in result.partitions():
                    public = [_public(table.name, dict(row), coders, pictures, published) for row in rows]
                    written.execute(insert(table), public)
            for sha256, content in pictures.items():
                written.exec_driver_sql("INSERT INTO archived_pictures VALUES (?, ?)", (sha256, content))
    finally:
        target.close()
    to.with_suffix(".lock").unlink(missing_ok=True)
    with closing(sqlite3.connect(to)) as file:
        file.execute("PRAGMA journal_mode=DELETE").fetchall()
        file.execute("VACUUM")
    return len(pictures)


def is_archive(path: Path) -> bool:
    """Return whether an SQLite file has the tables of an archive, and nothing that runs by itself."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as file:
        objects = {(kind, name) for kind, name in file.execute("SELECT type, name FROM sqlite_master")}
    return ("table", "archived_pictures") in objects and not any(kind in ("trigger", "view") for kind, _ in objects)


def unpack_archive(path: Path, pictures: Path) -> None:
    """Write an archive's pictures into a folder, and let its rows refer to these files. path: a copy of the archive."""
    pictures.mkdir()
    with closing(sqlite3.connect(path)) as file:
        for sha256, content in file.execute("SELECT sha256, content FROM archived_pictures"):
            if hashlib.sha256(content).hexdigest() == sha256:
                (pictures / sha256).write_bytes(content)
        place = f"{pictures.resolve()}/"
        file.execute("UPDATE images SET path = ? || sha256 WHERE sha256 NOT GLOB '*[^0-9a-f]*'", (place,))
        file.commit()


def _of_study(table: Table, study: int) -> ColumnElement[bool]:
    """Return the condition that a row of a table belongs to a study. Raises KeyError for an unknown table.

    The whole data set belongs to the study, because a report compares metrics with people on all its samples.
    """
    columns = table.columns
    dataset = select(StudyRow.dataset_id).where(StudyRow.id == study).scalar_subquery()
    samples = select(SampleRow.id).where(SampleRow.dataset_id == dataset)
    raters = union(
        select(ParticipationRow.rater_id).where(ParticipationRow.study_id == study),
        select(VisitRow.rater_id).where(VisitRow.study_id == study),
    )
    special: dict[str, Any] = {
        "annotations": ("image_id", select(ImageRow.id).where(ImageRow.dataset_id == dataset)),
        "codebooks": ("name", select(CodingRow.codebook).where(CodingRow.sample_id.in_(samples))),
        "codings": ("sample_id", samples),
        "datasets": ("id", select(dataset)),
        "erasures": ("rater_id", raters),
        "events": ("assignment_id", select(AssignmentRow.id).where(AssignmentRow.study_id == study)),
        "item_scores": ("item_id", select(ItemRow.id).where(ItemRow.study_id == study)),
        "raters": ("id", raters),
        "scores": ("sample_id", samples),
        "studies": ("id", select(literal(study))),
    }
    if table.name in special:
        column, chosen = special[table.name]
        return and_(columns[column].in_(chosen))
    return columns["study_id"] == study if "study_id" in columns else columns["dataset_id"] == dataset


def _public(
    name: str,
    public: dict[str, Any],
    coders: Mapping[str, str],
    pictures: dict[str, bytes],
    published: Published | None,
) -> dict[str, Any]:
    """Return a row without names of accounts and coders, and without paths of files."""
    if name == "studies":
        public["stamp"] = all_tables.NEVER
    if name == "codings":
        public["coder"] = coders[public["coder"]]
    if name == "gold_items" and public["approved_by"] is not None:
        public["approved_by"] = ACCOUNT
    if name == "images" and public["path"] is not None:
        if published is not None and (content := published(Path(public["path"]))) is not None:
            public["sha256"] = hashlib.sha256(content).hexdigest()
            pictures[public["sha256"]] = content
        public["path"] = f"pictures/{public['sha256']}"
    return public
