"""COCO's captions files (Lin et al. 2014; captions_val2017.json): about five human captions per picture.

The file is a JSON object with images [{id, file_name}] and annotations [{id, image_id, caption}].
"""

from collections.abc import Iterator
from dataclasses import dataclass

from core.datasets.base import Format, Record, Source
from core.datasets.coco import file_names, list_under
from core.datasets.files import entry_rows, json_object
from core.datasets.rows import Row, records_of
from core.errors import BadRow
from core.picture_names import coco_number


@dataclass(frozen=True, slots=True)
class Caption:
    """One caption, and the other captions of its picture."""

    annotation: Row
    image: str  # file name
    others: tuple[str, ...]  # the picture's other captions, in the file's order


def read(source: Source) -> Iterator[Record]:
    """Yield one record per caption.

    A record's key is the annotation's id. Its row is the annotation's position in the file.
    """
    return records_of(source, _captions(source), _record)


def _captions(source: Source) -> Iterator[Caption | BadRow]:
    content = json_object(source)
    names = file_names(source, list_under(source, content, "images"))
    rows = [_checked(row, names) for row in entry_rows(source, list_under(source, content, "annotations"))]
    by_image: dict[str, list[Row]] = {}
    for row in rows:
        if isinstance(row, Row):
            by_image.setdefault(_image(row), []).append(row)
    for row in rows:
        if isinstance(row, BadRow):
            yield row
        else:
            others = tuple(other.text("caption") for other in by_image[_image(row)] if other is not row)
            yield Caption(row, names[_image(row)], others)


def _checked(row: Row | BadRow, names: dict[str, str]) -> Row | BadRow:
    if isinstance(row, BadRow):
        return row
    try:
        row.identifier("id"), row.text("caption")
        if _image(row) not in names:
            raise row.bad("image_id", "the id of one of the file's images", row.get("image_id"))
    except BadRow as bad:
        return bad
    return row


def _image(row: Row) -> str:
    return row.identifier("image_id")


def _record(caption: Caption) -> Record:
    row = caption.annotation
    return Record(
        file=row.file,
        row=row.number,
        key=row.identifier("id"),
        image=caption.image,
        candidate=row.text("caption"),
        references=caption.others,
        own=() if str(coco_number(caption.image)) == _image(row) else (("image_id", _image(row)),),
    )


COCO_CAPTIONS = Format(
    name="coco-captions",
    summary=(
        "COCO captions (captions_val2017.json): people's captions. The other captions of a picture are the references"
    ),
    suffixes=(".json",),
    reader=read,
)
