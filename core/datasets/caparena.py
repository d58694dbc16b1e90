"""CapArena (Cheng et al. 2025): people choose between two detailed captions of a picture.

Each such choice is called a battle. The file is a JSON list with one object per battle: {img, source1, source2,
caption1, caption2, winner, ref, cluster?}. The field `winner` has the value of source1 or source2, or "equal", "skip"
or "bad". The field `cluster` is the level that the authors gave the battle, "level 1" to "level 4".
"""

from collections.abc import Iterator

from core.datasets.base import Format, Record, Source, plain_name
from core.datasets.files import entry_rows, json_list
from core.datasets.pascal50s import pair_key
from core.datasets.rows import Row, records_of
from core.picture_names import file_name
from core.types import Pair

UNDECIDED = ("equal", "skip", "bad")
UNCOUNTED = ("skip", "bad")  # categories of battles that nobody judged


def read(source: Source) -> Iterator[Record]:
    """Yield two records (one for each caption) per battle, with keys like "caparena#1/0" from the file's name."""
    return records_of(source, entry_rows(source, json_list(source)), _captions)


def _captions(row: Row) -> list[Record]:
    winner, sources = row.text("winner"), (row.text("source1"), row.text("source2"))
    if winner not in UNDECIDED and (winner not in sources or sources[0] == sources[1]):
        raise row.bad("winner", f"{sources[0]!r}, {sources[1]!r} or one of {', '.join(UNDECIDED)}", winner)
    preferred = None if winner in UNDECIDED else sources.index(winner)
    level = winner if winner in UNCOUNTED else None if row.get("cluster") is None else row.text("cluster")
    captions = [row.checked_length(name, row.text(name)) for name in ("caption1", "caption2")]
    references = () if row.get("ref") is None else (row.text("ref"),)
    found = []
    for position, caption in enumerate(captions):
        pair = Pair(f"{plain_name(row.file).stem}#{row.number}", position, preferred, level)
        system = row.system(f"source{position + 1}")
        image = file_name(row.text("img"))
        found.append(row.record(pair_key(pair), image, caption, references=references, pair=pair, system=system))
    return found


CAPARENA = Format(
    name="caparena",
    summary="CapArena: battles between two detailed captions of a picture, and the caption that people prefer",
    suffixes=(".json",),
    reader=read,
)
