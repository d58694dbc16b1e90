"""Pictures on disk: thumbnails in the data folder, and what a browser may be sent of an original."""

from dataclasses import dataclass
from pathlib import Path

from core.errors import BadImage
from core.files import written_whole
from core.images import open_rgb, read_image_facts, thumbnail
from core.types import ImageRef

THUMBNAIL_PX = 320  # longest side
LONGEST_PX = 16_383  # WebP holds no longer side
_SIGNATURES = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG\r\n\x1a\n": "image/png"}  # sent as they are


@dataclass(frozen=True, slots=True)
class Picture:
    """Bytes to send, with their type."""

    content: bytes
    media_type: str


class Pictures:
    """The thumbnails of a data folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def take_in(self, name: str, path: Path) -> ImageRef:
        """Check a picture, make its thumbnail and return what is known of it. Raises BadImage."""
        facts = read_image_facts(path)
        target = self._thumbnail(facts.sha256)
        if not target.exists():
            small = thumbnail(path, THUMBNAIL_PX)
            target.parent.mkdir(parents=True, exist_ok=True)
            with written_whole(target) as unfinished:
                unfinished.write_bytes(small)
        return ImageRef(name, path.resolve(), facts.sha256, facts.width, facts.height)

    def small(self, image: ImageRef) -> Picture | None:
        """Return a picture's thumbnail, or None where there is none."""
        if image.sha256 is None:
            return None
        path = self._thumbnail(image.sha256)
        return Picture(path.read_bytes(), "image/webp") if path.is_file() else None

    def full(self, image: ImageRef) -> Picture | None:
        """Return a picture in full, as the browser can show it; its thumbnail where the original has gone."""
        path = image.path
        if path is None or not path.is_file() or path.resolve() != path:  # a link put in its place is not followed
            return self.small(image)
        with path.open("rb") as file:
            start = file.read(16)
        for signature, media_type in _SIGNATURES.items():
            if start.startswith(signature):
                return Picture(path.read_bytes(), media_type)
        if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
            return Picture(path.read_bytes(), "image/webp")
        return self._converted(image, path)

    def _converted(self, image: ImageRef, path: Path) -> Picture | None:
        try:
            picture = open_rgb(path)
        except BadImage:
            return self.small(image)
        return Picture(thumbnail(path, min(max(picture.size), LONGEST_PX)), "image/webp")

    def _thumbnail(self, sha256: str) -> Path:
        return self._folder / sha256[:2] / f"{sha256}.webp"
