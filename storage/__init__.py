"""The database: verbs in, dataclasses out. The only place that knows SQLAlchemy."""

from storage.repository import Repository, open_repository

__all__ = ["Repository", "open_repository"]
