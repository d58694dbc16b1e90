"""Store and read all data. Only this package uses SQLAlchemy; its results are dataclasses."""

from storage.repository import Repository, open_repository

__all__ = ["Repository", "open_repository"]
