"""The pictures of an import: found in folders or ZIP files, checked, and kept where the import brings them along."""

import hashlib
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath

from core.datasets import ImageIndex, Record, find_images
from core.datasets.picture_zip import PictureZip, opened_zip
from core.datasets.pictures import PICTURE_SUFFIXES
from core.datasets.rows import file_name
from core.errors import BadImage, StorageFull
from core.files import remove_with_leftovers, written_whole
from core.long_work.progress import Progress
from core.long_work.spool import Spool, batched
from core.types import ImageRef
from storage import Repository
from storage.data.pictures import Pictures
from storage.engine.disk_map import DiskMap
from ui.services.importing.own_pictures import NAME_DIGITS

LOOKING = "Looking at pictures"
AT_A_TIME = 500  # records or pictures in memory
ROOM = 500_000_000  # bytes that stay free on the disk, for what raters save


class HeldPictures:
    """Pictures that an import brings, kept in the data folder, each under its checksum; gone if the import fails."""

    def __init__(self, folder: Path, journal: Path | None = None) -> None:
        """journal: a file that names what is new, for whoever clears up after a process that was killed."""
        self.folder = folder
        self.by_name: dict[str, Path] = {}
        self._new: list[Path] = []
        self._journal = journal

    def keep(self, name: str, content: bytes) -> str:
        """Keep a picture; returns what it is called: by its checksum, too, where another one has the name already."""
        path = self.place(name, content)
        mark = hashlib.sha256(content).hexdigest()
        called = name if self.by_name.get(name, path) == path else f"{mark[:12]}-{name}"
        self.by_name[called] = path
        return called

    def place(self, name: str, content: bytes) -> Path:
        """Keep a picture; returns where it is. Raises StorageFull before the disk is full."""
        suffix = PurePosixPath(name).suffix.lower()
        mark = hashlib.sha256(content).hexdigest()[:NAME_DIGITS]
        path = self.folder / (mark + (suffix if suffix in PICTURE_SUFFIXES else ""))
        if not path.exists():
            self._make_room(len(content))
            self.note(path)
            with written_whole(path) as unfinished:
                unfinished.write_bytes(content)
        return path

    def copy(self, path: Path) -> None:
        """Keep a picture that is called by its checksum already. Raises StorageFull before the disk is full."""
        target = self.folder / path.name
        if target.exists():
            return
        self._make_room(path.stat().st_size)
        self.note(target)
        with written_whole(target) as unfinished:
            shutil.copyfile(path, unfinished)

    def _make_room(self, size: int) -> None:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        if shutil.disk_usage(self.folder).free < size + ROOM:
            raise StorageFull

    def note(self, path: Path) -> None:
        """Take down a file that is about to be made, a picture's or a thumbnail's: it goes if the import fails."""
        self._new.append(path)
        if self._journal is not None:
            with self._journal.open("a", encoding="utf-8") as file:
                file.write(f"{path}\n")

    def __enter__(self) -> "HeldPictures":
        return self

    def __exit__(self, failed: type[BaseException] | None, *_: object) -> None:
        for path in self._new if failed else ():
            path.unlink(missing_ok=True)


def clear_kept(repository: Repository, journal: Path) -> None:
    """Delete the files that a journal of HeldPictures names and that no data set has: their import was killed."""
    if not journal.is_file():
        return
    paths, checksums = repository.samples.all_pictures()
    for name in journal.read_text(encoding="utf-8").splitlines():
        path = Path(name)
        if name not in paths and path.stem not in checksums:  # a thumbnail goes by its picture's checksum
            remove_with_leftovers(path)
    journal.unlink()


@dataclass(slots=True)
class PicturePlaces:
    """Where the pictures of an import are looked for."""

    held: HeldPictures
    index: ImageIndex
    zips: tuple[PictureZip, ...]
    allowed: frozenset[Path] | None  # folders in which pictures may lie; None: anywhere
    received: bool  # the files came from a browser: nothing lies beside them, and paths are nobody's business
    not_found: list[str] = field(default_factory=list)  # pictures that are in none of the named places
    _unpacked: dict[tuple[Path, str], Path] = field(default_factory=dict)

    @property
    def are_named(self) -> bool:
        """Whether folders or ZIP files with pictures were named."""
        return bool(self.zips or self.index.by_name)

    @property
    def missing(self) -> tuple[str, ...]:
        """The pictures that were not found, where folders or ZIP files were named for them."""
        return tuple(sorted(self.not_found))

    @property
    def notes(self) -> tuple[str, ...]:
        """What of the ZIP files was not read, a sentence each."""
        left = [(one.path.name, one.others) for one in self.zips if one.others]
        return tuple(f"Files of {name} that are no pictures and were not read: {others:,}." for name, others in left)

    def find(self, record: Record) -> Path | None:
        """Return a record's picture; one from a ZIP file is kept first. Raises BadFile, StorageFull."""
        held = self.held.by_name.get(record.image)
        if held is not None:
            return held
        found = self.index.find_name(file_name(record.image)) if self.received else self.index.find(record)
        return found or next(filter(None, (self._from_zip(one, record) for one in self.zips)), None)

    def refusal(self, path: Path) -> str | None:
        """Return why a picture may not be taken from where it really is, or None."""
        place = path.resolve()
        if self.allowed is None or not self.allowed.isdisjoint(place.parents):
            return None
        if self.received:
            return "a link leads out of the folder; put the picture itself into it"
        return f"it leads to {place.parent}; name that with --images, or say --outside"

    def _from_zip(self, archive: PictureZip, record: Record) -> Path | None:
        entry = archive.find(record)
        if entry is None:
            return None
        key = (archive.path, entry.filename)
        if key not in self._unpacked:
            self._unpacked[key] = self.held.place(entry.filename, archive.read(entry))
        return self._unpacked[key]


@contextmanager
def opened_places(
    files: Sequence[Path], images: Sequence[Path], held: HeldPictures, outside: bool, received: bool
) -> Iterator[PicturePlaces]:
    """Open where pictures are looked for: folders and ZIP files. Raises BadSetting, BadFile."""
    zips = [path for path in images if path.suffix.lower() == ".zip" and path.is_file()]
    folders = [path for path in images if path not in zips]
    beside = [] if received else [file.parent for file in files]
    allowed = None if outside else frozenset(folder.resolve() for folder in (*folders, *beside, held.folder))
    with ExitStack() as opened:
        archives = tuple(opened.enter_context(opened_zip(path)) for path in zips)
        yield PicturePlaces(held, find_images(folders), archives, allowed, received)


def take_in_pictures(
    pictures: Pictures,
    records: Spool[Record],
    places: PicturePlaces,
    images: DiskMap[str, ImageRef],
    progress: Progress,
) -> list[str]:
    """Check and thumbnail every picture of records that is found; others count as missing.

    So does one outside of the import's places: a stranger's file could bring somebody's own photographs into a study.
    images gets what is known of each picture, by Record.picture. Returns why some that are there count as missing.
    """
    unreadable: list[str] = []
    pool = ThreadPoolExecutor()
    with DiskMap[str, Path | None](places.held.folder.parent) as found:
        _find(records, places, found, progress)
        take_in = partial(_take_in, pictures, places, unreadable)
        try:
            for names in batched(found, AT_A_TIME):
                paths = found.found(names)
                made = pool.map(take_in, names, (paths[name] for name in names))
                known = {}
                for done, (name, image) in enumerate(zip(names, made, strict=True), len(images) + 1):
                    known[name] = image
                    progress(LOOKING, done, len(found))
                images.put(known)
        finally:
            pool.shutdown(cancel_futures=True)  # where the import is given up, pictures that wait are not looked at
    return sorted(unreadable)


def _find(records: Spool[Record], places: PicturePlaces, found: DiskMap[str, Path | None], progress: Progress) -> None:
    """Look for the picture of each record, once for all records of a picture."""
    done = 0
    for part in batched(records, AT_A_TIME):
        known, new = found.found({record.picture for record in part}), dict[str, Path | None]()
        for record in part:
            done += 1
            if record.picture not in known and record.picture not in new:
                new[record.picture] = places.find(record)
            progress("Looking for pictures", done, len(records))
        found.put(new)
        if places.are_named:
            places.not_found += [name for name, path in new.items() if path is None]


def _take_in(
    pictures: Pictures, places: PicturePlaces, unreadable: list[str], name: str, path: Path | None
) -> ImageRef:
    bare = PurePosixPath(name).name
    if path is None:
        return ImageRef(bare)
    refusal = places.refusal(path)
    try:
        if refusal is not None:
            raise BadImage(f"{bare}: {refusal}")
        return pictures.take_in(bare, path, on_new=places.held.note)
    except BadImage as error:
        unreadable.append(str(error).replace(path.name, bare, 1))  # a kept one is called by its checksum
        return ImageRef(bare)
