"""A picture and a caption that somebody brings to the Inspect page: looked through first, then kept as a sample."""

import hashlib
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import IO, Protocol

from core.datasets import Record, raise_bad
from core.datasets.coco_instances import read_annotations
from core.errors import BadSetting
from core.images import open_rgb, picture_format, read_image_facts
from core.types import ImageRef, ImageRegion
from ui.services import Workplace

DATASET = "own pictures"
NAME_DIGITS = 16  # of a kept picture's checksum, hexadecimal
LARGEST_PICTURE = 50_000_000  # bytes
LARGEST_REGIONS = 50_000_000  # bytes


class Upload(Protocol):
    """A file as a browser sends it."""

    @property
    def file(self) -> IO[bytes]:
        """What it holds."""
        ...

    @property
    def filename(self) -> str | None:
        """Its name on the sender's computer; never used as a path."""
        ...


@dataclass(frozen=True, slots=True)
class OwnSample:
    """What was brought, as a sample."""

    id: int
    regions: int  # annotated parts that are known of the picture


def take_in_own(
    workplace: Workplace, picture: Upload, caption: str, references: Sequence[str], regions: Upload | None = None
) -> OwnSample:
    """Keep a picture and its caption as a sample of the data set "own pictures"; the same ones again are the same.

    regions: a COCO instances file that knows the picture by its file name; without it, what data sets know of the
    same picture is used. Raises BadImage, BadMask, BadSetting, BadFile, BadRow; nothing is stored then.
    """
    said, *others = (" ".join(text.split()) for text in (caption, *references))
    if not said:
        raise BadSetting("Write a caption for the picture.")
    told = tuple(text for text in others if text)
    with _received(workplace.data_dir, picture, LARGEST_PICTURE) as received:
        open_rgb(received)  # every pixel, so that a broken picture is told before anything is kept
        known = _regions(workplace, received, picture.filename or "", regions)
        stored = _stored(workplace.data_dir / "pictures", received)
    image = replace(workplace.pictures.take_in(stored.name, stored), regions=known)
    key = _key(image, said, told)
    record = Record(stored, 1, stored.name, said, key=key, references=told)
    workplace.repository.add_records(DATASET, [record], {stored.name: image}, raise_bad)
    return OwnSample(workplace.repository.samples.id_of(DATASET, key), len(known))


@contextmanager
def _received(data_dir: Path, upload: Upload, largest: int) -> Iterator[Path]:
    """Write an upload to a file of its own for as long as the block lasts. Raises BadSetting for too large a one."""
    handle, name = tempfile.mkstemp(prefix="received-", suffix=".part", dir=data_dir)
    try:
        with os.fdopen(handle, "wb") as file:
            shutil.copyfileobj(upload.file, file)
        size = Path(name).stat().st_size
        if size > largest:
            shown = PurePath(upload.filename or "The file").name
            raise BadSetting(f"{shown}: expected at most {largest / 1e6:.0f} MB, found {size / 1e6:.1f} MB.")
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _regions(workplace: Workplace, received: Path, name: str, annotations: Upload | None) -> tuple[ImageRegion, ...]:
    facts = read_image_facts(received)
    if annotations is None:
        return workplace.repository.samples.regions_of_picture(facts.sha256)
    with _received(workplace.data_dir, annotations, LARGEST_REGIONS) as file:
        image = ImageRef(PurePath(name).name, received, facts.sha256, facts.width, facts.height)
        return tuple(region for region in read_annotations(file).regions(image) if not region.is_full)


def _stored(folder: Path, received: Path) -> Path:
    """Keep a picture under its checksum, whole or not at all."""
    with received.open("rb") as file:
        name = hashlib.file_digest(file, "sha256").hexdigest()[:NAME_DIGITS]
    kept = folder / f"{name}.{picture_format(received).lower()}"
    if not kept.exists():
        folder.mkdir(exist_ok=True)
        unfinished = Path(shutil.copy(received, folder / f".{secrets.token_hex(8)}.part"))
        unfinished.replace(kept)
    return kept


def _key(image: ImageRef, caption: str, references: Sequence[str]) -> str:
    said = hashlib.sha256(json.dumps([caption, *references]).encode()).hexdigest()
    return f"{(image.sha256 or '')[:12]}-{said[:12]}"
