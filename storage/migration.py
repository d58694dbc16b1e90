"""Tables brought to another revision by the scripts in migrations/versions.

A module of its own because Alembic takes as long to import as SQLAlchemy, and most starts find the tables up to date.
"""

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine

from storage.database import MIGRATIONS


def migrate(engine: Engine, revision: str = "head") -> None:
    """Upgrade the tables to a revision."""
    with engine.execution_options(capscope_writes=True).begin() as connection:
        command.upgrade(_config(connection), revision)


def downgrade(engine: Engine, revision: str) -> None:
    """Take the tables back to an earlier revision; what did not exist there is dropped."""
    with engine.execution_options(capscope_writes=True).begin() as connection:
        command.downgrade(_config(connection), revision)


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
