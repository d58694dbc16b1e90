"""Check a user's own picture and caption from the Inspect page, and store them as a sample."""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from core.datasets.base import Record
from core.datasets.pictures import LARGEST_PICTURE
from core.errors import BadSetting
from core.images.pictures import picture_format, read_image_facts
from core.images.sandbox import thumbnail_apart
from ui.services.workplace import PICTURES, Workplace

DATASET = "own pictures"
NAME_DIGITS = 16  # number of hexadecimal digits of the checksum in a stored picture's name
MOST_REFERENCES = 20
_NO_CONTROL = dict.fromkeys((*range(32), *range(127, 160)), " ")  # replaces all C0 and C1 control characters, also NUL


@dataclass(frozen=True, slots=True)
class OwnSample:
    """The user's picture and caption as a sample."""

    id: int
    regions: int  # number of annotated regions of the picture


def take_in_own(workplace: Workplace, picture: IO[bytes], caption: str, references: Sequence[str]) -> OwnSample:
    """Store a picture and its caption as a user's own sample.

    The sample is in the data set "own pictures". If the same picture and caption are already stored, their sample is
    returned. Annotated regions of the same picture in other data sets are used.

    Raises BadImage, BadSetting and BadRow. After an error nothing is stored.
    """
    clean_caption, *others = (clean_text(text) for text in (caption, *references))
    if not clean_caption:
        raise BadSetting("Write a caption for the picture.")
    cleaned = tuple(text for text in others if text)
    with tempfile.TemporaryDirectory(prefix="received-", dir=workplace.data_dir) as folder:
        received = _received(picture, Path(folder) / "The picture")
        facts = read_image_facts(received)
        own_regions, looked_for = workplace.repository.samples.annotations_of(facts.sha256, DATASET)
        # The picture comes from outside, so another process reads it: see Pictures.take_in
        image = workplace.pictures.take_in(received.name, received, thumbnail_apart)
        kind = picture_format(received).lower()
        stored = workplace.data_dir / PICTURES / f"{facts.sha256[:NAME_DIGITS]}.{kind}"
        stored.parent.mkdir(exist_ok=True)
        received.replace(stored)
    kept = replace(image, name=stored.name, path=stored.resolve())
    texts = hashlib.sha256(json.dumps([clean_caption, *cleaned]).encode()).hexdigest()
    key = f"{facts.sha256[:12]}-{texts[:12]}"
    record = Record(stored, 1, stored.name, clean_caption, key=key, references=cleaned)
    workplace.repository.add_records(DATASET, [record], {stored.name: kept})
    if own_regions:
        workplace.repository.annotate(DATASET, {stored.name: own_regions}, looked_for)
    sample_id = workplace.repository.samples.id_of(DATASET, key)
    return OwnSample(sample_id, len(workplace.repository.samples.get(sample_id).sample.image.regions))


def clean_text(text: str) -> str:
    """Return a text without control characters, and with single spaces."""
    return " ".join(text.translate(_NO_CONTROL).split())


def _received(upload: IO[bytes], path: Path) -> Path:
    size = upload.seek(0, os.SEEK_END)
    if size > LARGEST_PICTURE:
        most = f"{LARGEST_PICTURE / 1e6:.0f} MB"
        raise BadSetting(f"{path.name} may have at most {most}, but has {size / 1e6:.1f} MB.")
    upload.seek(0)
    with path.open("wb") as file:
        shutil.copyfileobj(upload, file)
    return path
