"""SQLAlchemy's compiled statements, kept from one engine to the next: hundreds open a database in a run.

Compiling a statement again takes longer than most tests' whole work with their rows. No test lives here.
"""

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.util import LRUCache

_make = Engine.__init__


class Statements(LRUCache[Any, Any]):
    """Statements by kind of database, where SQLAlchemy goes by the engine's own dialect."""

    def get(self, key: Any, default: Any = None) -> Any:
        """Return what was compiled for any engine of that kind."""
        return super().get(_of_kind(key), default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__(_of_kind(key), compiled)


def _of_kind(key: Any) -> Any:
    return (type(key[0]), *key[1:])


_kept = Statements(5000)


def remember_statements() -> None:
    """Let every engine that is made from now on use the same statements."""

    def made(engine: Engine, *arguments: Any, **options: Any) -> None:
        _make(engine, *arguments, **options)
        engine._compiled_cache = _kept

    Engine.__init__ = made  # type: ignore[method-assign]
