"""COCO's captions files (Lin et al. 2014; captions_val2017.json): about five human captions per picture.

The file is a JSON object with images [{id, file_name}] and annotations [{id, image_id, caption}].
"""

from collections.abc import Iterator

from core.datasets.base import Format, Record, Source
from core.datasets.coco import file_names, list_under
from core.datasets.files import entry_rows, json_object
from core.datasets.rows import Row, records_of
from core.errors import BadRow
from core.picture_names import coco_number


def read(source: Source) -> Iterator[Record]:
    """Yield one record per caption. The picture's other captions, in the file's order, are the references.

    A record's key is the annotation's id. Its row is the annotation's position in the file.
    """
    content = json_object(source)
    names = file_names(source, list_under(source, content, "images"))
    captions: dict[str, list[str]] = {}  # key: id of the picture
    rows: list[Row | BadRow] = []
    for row in entry_rows(source, list_under(source, content, "annotations")):
        try:
            if isinstance(row, BadRow):
                raise row
            _, text, image = row.identifier("id"), row.text("caption"), row.identifier("image_id")
            if image not in names:
                raise row.bad("image_id", "the id of one of the file's images", row.get("image_id"))
            captions.setdefault(image, []).append(text)
            rows.append(row)
        except BadRow as bad:
            rows.append(bad)

    def make(row: Row) -> Record:
        number, caption = row.identifier("image_id"), row.text("caption")
        others, name = captions[number].copy(), names[number]
        others.remove(caption)
        own = () if str(coco_number(name)) == number else (("image_id", number),)
        return row.record(row.identifier("id"), name, caption, references=tuple(others), own=own)

    return records_of(source, rows, make)


COCO_CAPTIONS = Format(
    name="coco-captions",
    summary=(
        "COCO captions (captions_val2017.json): people's captions. The other captions of a picture are the references"
    ),
    suffixes=(".json",),
    reader=read,
)
