"""Find, check and store the pictures of an import.

Pictures are searched in folders or ZIP files. Pictures from ZIP files are stored in the data folder.
"""

import hashlib
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath

from core.datasets import ImageIndex, OnBad, Record, find_images, raise_bad
from core.datasets.pictures import PICTURE_SUFFIXES, PictureZip, opened_zip
from core.errors import BadImage, BadRow, NotFound, StorageFull
from core.files import remove_with_leftovers, written_whole
from core.long_work.progress import Progress
from core.long_work.spool import Spool, batched
from core.picture_names import common_ending, is_ending, parts_of
from core.types import ImageRef
from storage import Repository
from storage.data.pictures import Pictures
from storage.engine.disk_map import DiskMap
from ui.services.importing.own_pictures import NAME_DIGITS

LOOKING = "Reading pictures"
AT_A_TIME = 500  # maximum number of records or pictures in memory
ROOM = 500_000_000  # bytes of the disk that stay free for raters' answers


class HeldPictures:
    """Stores pictures of an import in the data folder.

    Each file is named by its checksum. All new files are deleted if the import fails.
    """

    def __init__(self, folder: Path, journal: Path | None = None) -> None:
        """Store the import's pictures in a folder.

        journal: a file that lists the new files, so that they can be deleted if the process is killed.
        """
        self.folder = folder
        self.by_name: dict[str, Path] = {}
        self._new: list[Path] = []
        self._journal = journal

    def keep(self, name: str, content: bytes) -> str:
        """Store a picture and return its name.

        The name includes the checksum if another picture already has the same name.
        """
        path = self.place(name, content)
        mark = hashlib.sha256(content).hexdigest()
        called = name if self.by_name.get(name, path) == path else f"{mark[:12]}-{name}"
        self.by_name[called] = path
        return called

    def place(self, name: str, content: bytes) -> Path:
        """Store a picture and return its path.

        Raises StorageFull if too little of the disk would stay free for raters' answers.
        """
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
        """Store a picture whose file name already is its checksum. Raises StorageFull before the disk is full."""
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
        """List a new picture or thumbnail in the journal.

        Call this function before the file is made. If the import fails, the file is deleted.
        """
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
    """Delete the files in a killed import's journal (see HeldPictures). Files that a data set uses are kept."""
    if not journal.is_file():
        return
    paths, checksums = repository.samples.all_pictures()
    for name in journal.read_text(encoding="utf-8").splitlines():
        path = Path(name)
        if name not in paths and path.stem not in checksums:  # a thumbnail's stem is the checksum of its picture
            remove_with_leftovers(path)
    journal.unlink()


@dataclass(slots=True)
class PicturePlaces:
    """The folders and ZIP files in which an import looks for pictures."""

    held: HeldPictures
    index: ImageIndex
    zips: tuple[PictureZip, ...]
    allowed: frozenset[Path] | None  # folders in which pictures may be; None: anywhere
    received: bool  # True: a browser sent the files, so their folder has no pictures, and messages must not show paths
    not_found: list[str] = field(default_factory=list)  # pictures that no folder or ZIP file of the import contains
    _unpacked: dict[tuple[Path, str], Path] = field(default_factory=dict)

    @property
    def are_named(self) -> bool:
        """Return whether the user named folders or ZIP files with pictures."""
        return bool(self.zips or self.index.files)

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the names of the pictures that were not found.

        The result is empty if the user named no folders or ZIP files with pictures.
        """
        return tuple(sorted(self.not_found))

    @property
    def notes(self) -> tuple[str, ...]:
        """Return a sentence for each ZIP file with unread files."""
        left = [(one.path.name, one.others) for one in self.zips if one.others]
        return tuple(f"{others:,} files of {name} are not pictures and were not read." for name, others in left)

    def find(self, record: Record) -> Path | None:
        """Find a record's picture. A picture from a ZIP file is stored first. Raises BadFile, StorageFull."""
        held = self.held.by_name.get(record.image)
        if held is not None:
            return held
        path = self.index.files.find(record.image) if self.received else self.index.find(record)
        return path or next(filter(None, (self._from_zip(one, record) for one in self.zips)), None)

    def refusal(self, path: Path) -> str | None:
        """Return why a picture may not be read, or None.

        None: the picture may be read. A link is judged by the real path of the picture to which it leads.
        """
        place = path.resolve()
        if self.allowed is None or not self.allowed.isdisjoint(place.parents):
            return None
        if self.received:
            return "a link leads out of the folder; put the picture file itself into the folder"
        return f"the link leads to {place.parent}; name that folder with --images, or add --outside"

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
    """Open the folders and ZIP files in which pictures are searched.

    outside: pictures may be outside of these folders. received: the files come from a browser. Raises BadSetting,
    BadFile.
    """
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
    on_bad: OnBad = raise_bad,
) -> list[str]:
    """Check the records' pictures and make their thumbnails.

    Pictures that are not found count as missing. Pictures outside the import's folders and ZIP files also count as
    missing. So an imported file cannot bring private photographs into a study. images receives the ImageRef of each
    picture; key: Record.picture. Return messages that say why pictures count as missing although they exist.
    """
    unreadable: list[str] = []
    pool = ThreadPoolExecutor()
    with DiskMap[str, Path | None](places.held.folder.parent) as path_of:
        for bad in _find(records, places, path_of, progress):
            on_bad(bad)
        take_in = partial(_take_in, pictures, places, unreadable)
        try:
            for names in batched(path_of, AT_A_TIME):
                paths = path_of.found(names)
                made = pool.map(take_in, names, (paths[name] for name in names))
                known = {}
                for done, (name, image) in enumerate(zip(names, made, strict=True), len(images) + 1):
                    known[name] = image
                    progress(LOOKING, done, len(path_of))
                images.put(known)
        finally:
            pool.shutdown(cancel_futures=True)  # a cancelled import does not check the remaining pictures
    return sorted(unreadable)


def _find(
    records: Spool[Record], places: PicturePlaces, paths: DiskMap[str, Path | None], progress: Progress
) -> Iterator[BadRow]:
    """Find the picture of each record. Records with the same picture share one search.

    Yield an error for each name that fits several pictures, or whose picture fits another name of the import better.
    """
    done, names = 0, dict[Path, Record]()  # value: the first record of each picture
    for part in batched(records, AT_A_TIME):
        stored, new = paths.found({record.picture for record in part}), dict[str, Path | None]()
        for record in part:
            done += 1
            if record.picture in stored or record.picture in new:
                continue
            new[record.picture] = None
            try:
                path = places.find(record)
            except NotFound as unsure:
                yield BadRow(
                    record.file, record.row, "image", f"a path that names one picture ({unsure})", record.image
                )
                continue
            other = None if path is None else names.setdefault(path, record)
            if path is not None and other is not None and not is_ending(other.image, record.image):
                fits = [common_ending(parts_of(str(path)), parts_of(one.image), stems=True) for one in (other, record)]
                worse = record if fits[0] > fits[1] else other
                if fits[0] != fits[1]:
                    expected = f"a picture of its own; {path.name} was found only for another folder"
                    yield BadRow(worse.file, worse.row, "image", expected, worse.image)
                    if worse is record:
                        continue
                    new[other.picture], names[path] = None, record
            new[record.picture] = path
            progress("Looking for pictures", done, len(records))
        paths.put(new)
        if places.are_named:
            places.not_found += [name for name, path in new.items() if path is None]


def _take_in(
    pictures: Pictures, places: PicturePlaces, unreadable: list[str], name: str, path: Path | None
) -> ImageRef:
    bare = PurePosixPath(name).name
    if path is None:
        return ImageRef(name)
    refusal = places.refusal(path)
    try:
        if refusal is not None:
            raise BadImage(f"{bare}: {refusal}")
        return pictures.take_in(name, path, on_new=places.held.note)
    except BadImage as error:
        # Shows the original name, because a stored picture's path contains a checksum, which means nothing to users.
        unreadable.append(str(error).replace(path.name, bare, 1))
        return ImageRef(name)
