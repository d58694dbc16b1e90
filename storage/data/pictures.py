"""Store thumbnails, and prepare pictures for browsers."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.errors import BadImage
from core.files import written_whole
from core.images.pictures import read_image_facts, thumbnail
from core.images.sandbox import thumbnail_apart
from core.types import ImageRef

Shrink = Callable[[Path, int], bytes]  # (picture, px) -> WebP of the picture with a longer side of at most px

THUMBNAIL_PX = 320  # longest side
FULL_PX = 4_096  # longest side of the copy that pages show in full size


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture's bytes and media type."""

    content: bytes
    media_type: str


class Pictures:
    """Thumbnails and converted pictures in a data folder, named by checksum."""

    def __init__(self, thumbnails: Path, converted: Path) -> None:
        self._thumbnails, self._converted = thumbnails, converted

    def take_in(
        self, name: str, path: Path, shrink: Shrink = thumbnail, on_new: Callable[[Path], None] | None = None
    ) -> ImageRef:
        """Check a picture, make its thumbnail and return its ImageRef.

        If the thumbnail is missing, on_new gets the path of the thumbnail before its file is written. Raises BadImage.
        """
        facts = read_image_facts(path)
        target = _place(self._thumbnails, facts.sha256)
        if not target.exists():
            small = shrink(path, THUMBNAIL_PX)
            if on_new is not None:
                on_new(target)
            _write(target, small)
        return ImageRef(name, path.resolve(), facts.sha256, facts.width, facts.height)

    def small(self, image: ImageRef) -> Picture | None:
        """Return a picture's thumbnail, or None if there is none."""
        return None if image.sha256 is None else _webp(_place(self._thumbnails, image.sha256))

    def is_ready(self, image: ImageRef) -> bool:
        """Return whether a picture can be sent in full size without decoding."""
        return _original(image) is None or image.sha256 is not None and _place(self._converted, image.sha256).is_file()

    def full(self, image: ImageRef) -> Picture | None:
        """Return a still copy of a picture without metadata, its longer side at most FULL_PX pixels.

        The copy is made once, in a separate process, which takes seconds. If the original is gone or broken, return the
        picture's thumbnail.
        """
        path = _original(image)
        if path is None:
            return self.small(image)
        if image.sha256 is not None and (kept := _webp(_place(self._converted, image.sha256))):
            return kept
        try:
            facts = read_image_facts(path)
            content = thumbnail_apart(path, FULL_PX)
        except BadImage:
            return self.small(image)
        if facts.sha256 == image.sha256:  # the file has not changed since the import
            _write(_place(self._converted, image.sha256), content)
        return Picture(content, "image/webp")


def _original(image: ImageRef) -> Path | None:
    """Return the path of a picture's original file, or None.

    None: the file is gone or was replaced by a symbolic link. Such links are not followed.
    """
    path = image.path
    return path if path is not None and path.is_file() and path.resolve() == path else None


def _place(folder: Path, sha256: str) -> Path:
    return folder / sha256[:2] / f"{sha256}.webp"


def _webp(path: Path) -> Picture | None:
    return Picture(path.read_bytes(), "image/webp") if path.is_file() else None


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as unfinished:
        unfinished.write_bytes(content)
