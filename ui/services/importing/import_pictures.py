"""Find, check and store the pictures of an import.

Pictures are searched in folders or ZIP files. Pictures from ZIP files are stored in the data folder.
"""

import hashlib
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from core.datasets.base import Record
from core.datasets.pictures import PICTURE_SUFFIXES, ZipPicture, find_images, opened_zip, picture_of
from core.errors import BadImage, BadRow, NotFound, StorageFull
from core.files import written_whole
from core.long_work.parallel import side_by_side
from core.long_work.progress import Progress
from core.picture_names import PictureIndex, common_ending, is_ending, parts_of
from core.types import ImageRef
from storage.data.pictures import Pictures
from ui.services.importing.own_pictures import NAME_DIGITS
from ui.services.workplace import PICTURES, Workplace

LOOKING = "Reading pictures"
WORKERS = 4  # number of pictures that are read at the same time
ROOM = 500_000_000  # bytes of the disk that stay free for raters' answers


@dataclass(slots=True)
class ImportPictures:
    """The pictures of an import."""

    pictures: Pictures
    folder: Path  # stores pictures from ZIP files and embedded pictures; each file is named by its checksum
    index: PictureIndex[Path]
    zips: tuple[PictureIndex[ZipPicture], ...]
    allowed: frozenset[Path]  # folders in which pictures may be
    received: bool  # True: a browser sent the files, so their folder has no pictures, and messages must not show paths
    unreadable: list[str] = field(default_factory=list)  # reasons why pictures count as missing although they exist
    _found: dict[str, Path | ZipPicture | None] = field(default_factory=dict)  # key: Record.picture
    _first: dict[str, Record] = field(default_factory=dict)  # key: path of a found picture; value: its first record
    _embedded: dict[str, Path] = field(default_factory=dict)
    new: list[Path] = field(default_factory=list)  # new pictures and thumbnails, which a failed import deletes

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the names of pictures that were not found; () if no folder or ZIP file with pictures was named."""
        is_named = bool(self.zips or self.index)
        return tuple(sorted(name for name, found in self._found.items() if found is None)) if is_named else ()

    def keep(self, name: str, content: bytes) -> str:
        """Store an embedded picture and return its name.

        The name includes the checksum if another picture already has the same name. Raises StorageFull.
        """
        path = self._store(name, content)
        called = name if self._embedded.get(name, path) == path else f"{_checksum(content)[:12]}-{name}"
        self._embedded[called] = path
        return called

    def find(self, record: Record) -> BadRow | None:
        """Find a record's picture. Records with the same picture share one search.

        Return an error if the name fits several pictures, or if the picture fits another name of the import better.
        """
        if record.picture in self._found:
            return None
        self._found[record.picture] = None
        try:
            file = self._embedded.get(record.image) or (
                self.index.find(record.image) if self.received else picture_of(record, self.index)
            )
            found = file or next(filter(None, (pictures.find(record.image) for pictures in self.zips)), None)
        except NotFound as unsure:
            expected = f"a path that names one picture ({unsure})"
            return BadRow(record.file, record.row, "image", expected, record.image)
        if found is not None and (misfit := self._misfit(record, found)):
            return misfit
        self._found[record.picture] = found
        return None

    def _misfit(self, record: Record, found: Path | ZipPicture) -> BadRow | None:
        """Return an error if a found picture has another name in an earlier record, for the name that fits it worse."""
        path, here = str(found), replace(record, candidate="", references=(), scores=())  # to need little memory
        other = self._first.setdefault(path, here)
        fits = [common_ending(parts_of(path), parts_of(one.image), stems=True) for one in (other, here)]
        if is_ending(other.image, here.image) or fits[0] == fits[1]:
            return None
        worse, better = (other, here) if fits[0] < fits[1] else (here, other)
        self._found |= {worse.picture: None, better.picture: found}
        self._first[path] = better
        expected = f"a picture of its own; {PurePosixPath(path).name} was found only for another folder"
        return BadRow(worse.file, worse.row, "image", expected, worse.image)

    def take_in(self, progress: Progress) -> dict[str, ImageRef]:
        """Check all found pictures and make their thumbnails. Return their ImageRefs; key: Record.picture.

        Pictures outside the import's folders and ZIP files count as missing. So an imported file cannot bring private
        photographs into a study. Raises BadFile, StorageFull.
        """
        images = {name: ImageRef(name) for name, found in self._found.items() if found is None}
        there = [(name, found) for name, found in self._found.items() if found is not None]
        for image in side_by_side(self._take_in, there, WORKERS):
            images[image.name] = image
            progress(LOOKING, len(images), len(self._found))
        self.unreadable.sort()
        return images

    def _take_in(self, named: tuple[str, Path | ZipPicture]) -> ImageRef:
        name, found = named
        path = found if isinstance(found, Path) else self._store(found.entry.filename, found.read())
        refusal, bare = self._refusal(path), PurePosixPath(name).name
        try:
            if refusal is not None:
                raise BadImage(f"{bare}: {refusal}")
            return self.pictures.take_in(name, path, on_new=self.new.append)
        except BadImage as error:
            # Shows the original name, because a stored picture's path contains a checksum, which means nothing to users
            self.unreadable.append(str(error).replace(path.name, bare, 1))
            return ImageRef(name)

    def _refusal(self, path: Path) -> str | None:
        """Return why a picture may not be read; None: it may. A link is judged by the path to which it leads."""
        place = path.resolve()
        if not self.allowed.isdisjoint(place.parents):
            return None
        if self.received:
            return "a link leads out of the folder; put the picture file itself into the folder"
        return f"the link leads to {place.parent}; name that folder with --images"

    def _store(self, name: str, content: bytes) -> Path:
        """Store a picture and return its path.

        Raises StorageFull if too little of the disk would stay free for raters' answers.
        """
        suffix = PurePosixPath(name).suffix.lower()
        path = self.folder / (_checksum(content)[:NAME_DIGITS] + (suffix if suffix in PICTURE_SUFFIXES else ""))
        if not path.exists():
            self.folder.mkdir(mode=0o700, exist_ok=True)
            if shutil.disk_usage(self.folder).free < len(content) + ROOM:
                raise StorageFull
            self.new.append(path)
            with written_whole(path) as unfinished:
                unfinished.write_bytes(content)
        return path


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@contextmanager
def opened_pictures(
    workplace: Workplace, files: Sequence[Path], images: Sequence[Path], received: bool
) -> Iterator[ImportPictures]:
    """Open the folders and ZIP files in which pictures are searched.

    received: the files come from a browser. Raises BadSetting, BadFile.
    """
    stored = workplace.data_dir / PICTURES
    zips = [path for path in images if path.suffix.lower() == ".zip" and path.is_file()]
    folders = [path for path in images if path not in zips]
    beside = [] if received else [file.parent for file in files]
    allowed = frozenset(folder.resolve() for folder in (*folders, *beside, stored))
    with ExitStack() as opened:
        archives = tuple(opened.enter_context(opened_zip(path)) for path in zips)
        found = ImportPictures(workplace.pictures, stored, find_images(folders), archives, allowed, received)
        try:
            yield found
        except BaseException:
            for path in found.new:
                path.unlink(missing_ok=True)
            raise
