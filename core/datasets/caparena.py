"""CapArena (Cheng et al. 2025): people choose between two detailed captions of a picture.

Each such choice is called a battle. The file is a JSON list with one object per battle: {img, source1, source2,
caption1, caption2, winner, ref, cluster?}. The field `winner` has the value of source1 or source2, or "equal", "skip"
or "bad". The field `cluster` is the level that the authors gave the battle, "level 1" to "level 4".
"""

from collections.abc import Iterator
from dataclasses import dataclass

from core.datasets.base import Format, Record, Source, plain_name
from core.datasets.files import entry_rows, json_list
from core.datasets.pascal50s import pair_key
from core.datasets.rows import Row, records_of
from core.errors import BadRow
from core.picture_names import file_name
from core.types import Pair

UNDECIDED = ("equal", "skip", "bad")
UNCOUNTED = ("skip", "bad")  # categories of battles that nobody judged


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two captions of a battle, between which people choose."""

    battle: Row
    pair: Pair


def read(source: Source) -> Iterator[Record]:
    """Yield two records (one for each caption) per battle.

    Their keys contain the file's name without extension: "caparena#1/0" and "caparena#1/1".
    """
    return records_of(source, _sides(source), _record)


def _sides(source: Source) -> Iterator[Side | BadRow]:
    for row in entry_rows(source, json_list(source)):
        if isinstance(row, BadRow):
            yield row
            continue
        try:
            preferred, level = _preferred(row), _level(row)
            for field in ("caption1", "caption2"):  # one bad caption makes the whole pair bad
                row.checked_length(field, row.text(field))
        except BadRow as bad:
            yield bad
            continue
        key = f"{plain_name(source.path).stem}#{row.number}"
        yield from (Side(row, Pair(key, position, preferred, level)) for position in (0, 1))


def _preferred(row: Row) -> int | None:
    winner, sources = row.text("winner"), (row.text("source1"), row.text("source2"))
    if winner in UNDECIDED:
        return None
    if winner not in sources or sources[0] == sources[1]:
        raise row.bad("winner", f"{sources[0]!r}, {sources[1]!r} or one of {', '.join(UNDECIDED)}", winner)
    return sources.index(winner)


def _level(row: Row) -> str | None:
    """Return the level of a battle (a choice between two captions).

    The level is in the field `cluster`. Returns None if the battle has no level. If nobody judged the battle, returns
    "skip" or "bad" instead of the level.
    """
    winner = row.text("winner")
    return winner if winner in UNCOUNTED else None if row.get("cluster") is None else row.text("cluster")


def _record(side: Side) -> Record:
    row = side.battle
    reference = row.get("ref")
    return Record(
        file=row.file,
        row=row.number,
        key=pair_key(side.pair),
        image=file_name(row.text("img")),
        candidate=row.text(f"caption{side.pair.position + 1}"),
        references=() if reference is None else (row.text("ref"),),
        pair=side.pair,
        system=row.system(f"source{side.pair.position + 1}"),
    )


CAPARENA = Format(
    name="caparena",
    summary="CapArena: battles between two detailed captions of a picture, and the caption that people prefer",
    suffixes=(".json",),
    reader=read,
)
