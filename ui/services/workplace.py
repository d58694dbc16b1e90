"""The data folder, opened."""

from dataclasses import dataclass
from pathlib import Path

from core.errors import BadSetting
from storage import Repository, open_repository
from storage.data.pictures import Pictures
from ui.settings import Settings


@dataclass(frozen=True, slots=True)
class Workplace:
    """A data folder, opened."""

    repository: Repository
    pictures: Pictures
    data_dir: Path


def open_workplace(settings: Settings) -> Workplace:
    """Open the data folder, made if need be. Raises BadSetting where that is not possible."""
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadSetting(f"Cannot make the data folder {settings.data_dir}: {error.strerror}.") from error
    repository = open_repository(settings.data_dir / "capscope.db")
    return Workplace(repository, Pictures(settings.data_dir / "thumbnails"), settings.data_dir)
