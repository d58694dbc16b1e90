"""Count the database rows to which an import's records refer, and how many of these rows are new.

Each row counts once, even if several records refer to it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from storage.data.import_plan import NUMBERED
from storage.types import ImportCounts


class Ids:
    """A set of ids that uses one bit for each id from 0 up to the largest."""

    def __init__(self) -> None:
        self._bits = bytearray()
        self._count = 0

    def add(self, ids: Iterable[int]) -> None:
        """Add ids to the set; every id is at least 0."""
        for one in ids:
            place, bit = one >> 3, 1 << (one & 7)
            if place >= len(self._bits):
                self._bits.extend(bytes(place + 1 - len(self._bits) + len(self._bits) // 8))
            if not self._bits[place] & bit:
                self._bits[place] |= bit
                self._count += 1

    def __len__(self) -> int:
        return self._count


@dataclass(slots=True)
class Tally:
    """How many rows of each kind an import read, and how many are new."""

    images: Ids = field(default_factory=Ids)
    found: Ids = field(default_factory=Ids)
    annotated: Ids = field(default_factory=Ids)
    samples: Ids = field(default_factory=Ids)
    scores: Ids = field(default_factory=Ids)
    added: dict[str, int] = field(default_factory=lambda: dict.fromkeys(NUMBERED, 0))
    changed: int = 0
    annotated_added: int = 0
    regions_added: int = 0

    def counts(self, waiting: int) -> ImportCounts:
        """Return the counts of read rows and new rows.

        waiting: number of new scores that are stored at the end of the import. They count as read and as new.
        """
        return ImportCounts(
            images_found=len(self.found),
            images_missing=len(self.images) - len(self.found),
            samples=len(self.samples),
            scores=len(self.scores) + waiting,
            samples_added=self.added["samples"],
            scores_added=self.added["scores"] + waiting,
            annotated=len(self.annotated),
            annotated_added=self.annotated_added,
            regions_added=self.regions_added,
        )

    @property
    def is_anything_new(self) -> bool:
        """Return whether the import changes stored data."""
        return any((*self.added.values(), self.changed, self.regions_added))
