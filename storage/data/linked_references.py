"""Give captions of COCO results the references of their pictures, which COCO's captions files contain.

Both files name pictures by the same ids, and they may be imported in any order and into different data sets.
"""

import json
from collections import defaultdict

from sqlalchemy import Connection, select, update

from core.picture_names import coco_number, stem
from storage.data.datasets import count_changes
from storage.data.hidden_datasets import VISIBLE_SAMPLE
from storage.engine.database import Database
from storage.tables import ImageRow, SampleRow, as_text

AT_A_TIME = 100  # number of samples that one transaction changes
_NONE = as_text(SampleRow.references) == "[]"


def link_references(database: Database) -> int:
    """Add references to all captions of COCO results that have none. Return their number."""
    with database.read() as connection:
        lacking = _lacking(connection)
        references = _references(connection, set(lacking.values())) if lacking else {}
    given = [(sample, [*references[picture]]) for sample, picture in lacking.items() if picture in references]
    for start in range(0, len(given), AT_A_TIME):
        some = given[start : start + AT_A_TIME]
        with database.write() as connection:
            for sample, texts in some:
                connection.execute(update(SampleRow).where(SampleRow.id == sample, _NONE).values(references=texts))
            count_changes(connection, [sample for sample, _ in some])
    return len(given)


def _lacking(connection: Connection) -> dict[int, str]:
    """Return the pictures' ids of results without references; key: the sample. Their keys are "FILE#ID"."""
    query = select(SampleRow.id, SampleRow.key, ImageRow.name).join(ImageRow)
    rows = connection.execute(query.where(_NONE, SampleRow.key.contains("#"), VISIBLE_SAMPLE))
    found = ((row.id, row.key.rpartition("#")[2], _picture_id(row.name)) for row in rows)
    return {sample: picture for sample, picture, named in found if picture == named}


def _references(connection: Connection, wanted: set[str]) -> dict[str, dict[str, None]]:
    """Return the captions of each picture in COCO's captions files, whose keys are the ids of captions."""
    columns = SampleRow.key, SampleRow.candidate, as_text(SampleRow.references), as_text(SampleRow.own), ImageRow.name
    query = select(*columns).join(ImageRow).where(VISIBLE_SAMPLE, SampleRow.system.is_(None))
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for key, candidate, references, own, name in connection.execute(query.order_by(SampleRow.id)):
        stated = json.loads(own).get("image_id") if own else None
        picture = stated or _picture_id(name)
        if picture in wanted and key.isdecimal():
            found[picture].update(dict.fromkeys([candidate, *json.loads(references)]))
    return found


def _picture_id(name: str) -> str:
    number = coco_number(name)
    return stem(name) if number is None else str(number)
