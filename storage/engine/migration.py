"""Bring the database's tables up to date with Alembic."""

from pathlib import Path

from sqlalchemy import Engine, inspect, text

MIGRATIONS = Path(__file__).parents[1] / "migrations"
REVISIONS = ("0.3.0",)  # revisions of the tables in storage/migrations/versions, the current one last
_EARLIER = "an earlier version of Capscope made this database; the last commit that opens it is 343fe37b"
_LATER = "a later version of Capscope made this database (revision {}); use that version"


def bring_up_to_date(engine: Engine) -> str | None:
    """Update the tables to the current revision.

    Return None if the tables are up to date at the end. Otherwise return why the database is refused.
    """
    with engine.begin() as connection:
        has_tables = inspect(connection).has_table("alembic_version")
        found = connection.scalar(text("SELECT version_num FROM alembic_version")) if has_tables else None
    problem = refusal(found)
    if problem is None and found != REVISIONS[-1]:
        # imported late: alembic loads as slowly as SQLAlchemy, and most starts migrate nothing
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
        with engine.execution_options(capscope_writes=True).begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    return problem


def refusal(revision: str | None) -> str | None:
    """Return why tables of a revision cannot be used, or None.

    Revisions of earlier versions are whole numbers. revision: None: the database is new.
    """
    if revision is None or revision in REVISIONS:
        return None
    return _EARLIER if revision.isdigit() else _LATER.format(revision)
