"""COCO's files (Lin et al. 2014): captions and models' results."""

import re
from collections import defaultdict
from collections.abc import Iterator

from core.datasets.base import Format, Record, Source, plain_name, system_name
from core.datasets.files import json_object, json_rows, list_under, rows_of
from core.datasets.rows import Row, records_of
from core.errors import BadFile, BadRow
from core.picture_names import coco_number

_MODEL = re.compile(r"captions_[^_]+_(.+)_results")  # COCO's rule for names: captions_SET_MODEL_results.json


def annotations(source: Source) -> Iterator[tuple[Row, str]]:
    """Yield the captions of a COCO file, each with the path of its picture.

    The file is an object with images [{id, file_name}] and annotations [{id, image_id, caption}]. Raises BadFile.
    """
    content = json_object(source)
    images = rows_of(Source(source.path), list_under(source, content, "images"), "images")
    try:
        names = {row.identifier("id"): row.picture("file_name") for row in images}
    except BadRow as bad:
        raise BadFile(source.path, f"images, entry {bad.row}, field {bad.field}: {bad.reason}") from bad
    for row in rows_of(source, list_under(source, content, "annotations")):
        try:
            _, _, image = row.identifier("id"), row.text("caption"), row.identifier("image_id")
            if image not in names:
                raise row.bad("image_id", "the id of one of the file's images", row.get("image_id"))
        except BadRow as bad:
            source.on_bad(bad)
        else:
            yield row, names[image]


def read_captions(source: Source) -> Iterator[Record]:
    """Yield one record per caption. The picture's other captions, in the file's order, are the references.

    A record's key is the annotation's id.
    """
    rows, captions = list(annotations(source)), defaultdict[str, list[str]](list)  # key: id of the picture
    for row, _ in rows:
        captions[row.identifier("image_id")].append(row.text("caption"))

    def record(annotation: tuple[Row, str]) -> Record:
        row, name = annotation
        number, caption = row.identifier("image_id"), row.text("caption")
        others = captions[number].copy()
        others.remove(caption)
        own = () if str(coco_number(name)) == number else (("image_id", number),)
        return row.record(row.identifier("id"), name, caption, references=tuple(others), own=own)

    return records_of(source, rows, record)


def read_results(source: Source) -> Iterator[Record]:
    """Yield one record per entry of a model's results: a JSON list of {image_id, caption}.

    Keys such as "results#391895" consist of the file's name and the picture's number. The MODEL in the file's name is
    the captioner.
    """
    stem = plain_name(source.path).stem
    named = _MODEL.fullmatch(stem)
    model = system_name(named[1]) if named and source.layout.system is None else None

    def record(row: Row) -> Record:
        number = row.identifier("image_id")
        image = f"{int(number):012}.jpg" if number.isdecimal() else number  # COCO's names of pictures since 2017
        return row.record(f"{stem}#{number}", image, row.text("caption"), system=row.system("system") or model)

    return records_of(source, json_rows(source), record)


COCO_CAPTIONS = Format(
    name="coco-captions",
    summary=(
        "COCO captions (captions_val2017.json): people's captions. The other captions of a picture are the references"
    ),
    reader=read_captions,
)
COCO_RESULTS = Format(
    name="coco-results",
    summary="COCO results (captions_val2017_MODEL_results.json): a model's captions, with the ids of their pictures",
    reader=read_results,
)
