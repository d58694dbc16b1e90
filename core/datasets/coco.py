"""COCO's files (Lin et al. 2014): captions, models' results, and the addresses of pictures."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from core.datasets.base import Exported, Format, Record, Source, ignore_progress, is_system, plain_name, raise_bad
from core.datasets.files import json_object, json_rows, list_under, rows_of
from core.datasets.own_form import encoded
from core.datasets.rows import Row, records_of
from core.errors import BadData, BadFile, BadRow
from core.files import written_whole
from core.picture_names import coco_number
from core.types import Score, one_line

LARGEST_ID = 10**12
HOST = "images.cocodataset.org"
COCO = f"http://{HOST}"  # http, because the host has no certificate of its own
_MODEL = re.compile(r"captions_[^_]+_(.+)_results")  # COCO's rule for names: captions_SET_MODEL_results.json
_NUMBER = re.compile(r"[0-9]+$", re.ASCII)  # "000000391895", "COCO_val2014_000000391895"
_OF_2014 = re.compile(r"COCO_((?:train|val|test)2014)_[0-9]{12}\.jpg", re.ASCII)
_OF_2017 = re.compile(r"[0-9]{12}\.jpg", re.ASCII)
_PATH = re.compile(r"/(?:train|val|test|unlabeled)20[0-9]{2}/[A-Za-z0-9_]+\.jpg", re.ASCII)


def file_names(source: Source, content: Mapping[str, object]) -> dict[str, str]:
    """Return the paths of a COCO file's images by image id. Raises BadFile."""
    images = list_under(source, content, "images")
    try:
        rows = [Row(source.path, n, {"images": image}).nested("images") for n, image in enumerate(images, start=1)]
        return {row.identifier("id"): row.picture("file_name") for row in rows}
    except BadRow as bad:
        raise BadFile(source.path, f"images, entry {bad.row}, field {bad.field}: {bad.reason}") from bad


def read_captions(source: Source) -> Iterator[Record]:
    """Yield one record per caption. The picture's other captions, in the file's order, are the references.

    The file is an object with images [{id, file_name}] and annotations [{id, image_id, caption}]. A record's key is the
    annotation's id.
    """
    content = json_object(source)
    names = file_names(source, content)
    captions: dict[str, list[str]] = {}  # key: id of the picture
    rows: list[Row] = []
    for row in rows_of(source, list_under(source, content, "annotations")):
        try:
            _, text, image = row.identifier("id"), row.text("caption"), row.identifier("image_id")
            if image not in names:
                raise row.bad("image_id", "the id of one of the file's images", row.get("image_id"))
            captions.setdefault(image, []).append(text)
            rows.append(row)
        except BadRow as bad:
            source.on_bad(bad)

    def record(row: Row) -> Record:
        number, caption = row.identifier("image_id"), row.text("caption")
        others, name = captions[number].copy(), names[number]
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
    model = one_line(named[1]) if named and source.layout.system is None else ""

    def record(row: Row) -> Record:
        number = row.identifier("image_id")
        image = f"{int(number):012}.jpg" if number.isdecimal() else number  # COCO's names of pictures since 2017
        system = row.system("system") or (model if is_system(model) else None)
        return row.record(f"{stem}#{number}", image, row.text("caption"), system=system)

    return records_of(source, json_rows(source), record)


def write_results(samples: Iterable[Exported], folder: Path) -> Iterator[Exported | str]:
    """Write results.json, with scores beside the captions.

    A sample is skipped if its picture's name contains no COCO number. Raises BadData for a second caption of a picture,
    because the file can have only one caption per picture.
    """
    written: set[int] = set()  # COCO numbers of the pictures in the file
    with written_whole(folder / "results.json") as unfinished, unfinished.open("w", encoding="utf-8") as file:
        file.write("[")
        for one in samples:
            name = one.sample.image.name
            found = _NUMBER.search(Path(name).stem)
            if found is None or int(found[0]) > LARGEST_ID:
                yield f"{one.sample.key}: the name {name} contains no COCO picture id"
                continue
            number = int(found[0])
            if number in written:
                raise BadData(f"COCO results need one caption per picture, but {name} has several captions.")
            row: dict[str, object] = {"image_id": number, "caption": one.sample.candidate}
            row |= {"system": one.sample.system} if one.sample.system else {}
            scores = {outcome.signature: outcome.value for outcome in one.outcomes if isinstance(outcome, Score)}
            file.write((", " if written else "") + encoded(row | ({"scores": scores} if scores else {})))
            written.add(number)
            yield one
        file.write("]")


def picture_paths(name: str) -> tuple[str, ...]:
    """Return the paths that a picture may have on COCO's server; () if the name is not from COCO.

    A name from 2017 has two possible paths, because it does not show whether the picture is in val2017 or train2017.
    """
    of_2014 = _OF_2014.fullmatch(name)
    if of_2014:
        return (f"/{of_2014[1]}/{name}",)
    return (f"/val2017/{name}", f"/train2017/{name}") if _OF_2017.fullmatch(name) else ()


def coco_url_paths(file: Path) -> dict[str, str]:
    """Return the path of each picture on COCO's server, by name, from the field coco_url of a COCO file's images.

    Raises BadFile, and BadRow for a coco_url on another server.
    """
    source = Source(file, raise_bad, ignore_progress)
    found = {}
    for number, entry in enumerate(list_under(source, json_object(source), "images"), start=1):
        row = Row(file, number, {"images": entry}).nested("images")
        parts = urlsplit(row.text("coco_url"))
        if parts.netloc != HOST or parts.scheme not in ("http", "https") or not _PATH.fullmatch(parts.path):
            raise row.bad("coco_url", f"an address of a picture at {COCO}", row.get("coco_url"))
        found[row.file_name("file_name")] = parts.path
    return found


COCO_CAPTIONS = Format(
    name="coco-captions",
    summary=(
        "COCO captions (captions_val2017.json): people's captions. The other captions of a picture are the references"
    ),
    suffixes=(".json",),
    reader=read_captions,
)
COCO_RESULTS = Format(
    name="coco-results",
    summary="COCO results (captions_val2017_MODEL_results.json): a model's captions, with the ids of their pictures",
    suffixes=(".json",),
    reader=read_results,
    writer=write_results,
    takes_system=True,
)
