"""The captioner of each caption (the person or model that wrote it), one entry per row of a score table."""

from dataclasses import dataclass

import numpy as np

from core.analysis.score_table import Mask
from core.arrays import Ints

MOST = 50  # maximum number of captioners in tables; more names than this are probably caption ids, not captioners


@dataclass(frozen=True, slots=True, eq=False)
class Captioners:
    """The captioner of each sample."""

    names: tuple[str, ...]  # sorted
    of: Ints  # (samples,) index of each sample's captioner in `names`; -1: unknown

    def by(self, name: str) -> Mask:
        """Return the mask of the captions that a captioner wrote, shape (samples,)."""
        if name not in self.names:
            return np.zeros(len(self.of), dtype=bool)
        written: Mask = self.of == self.names.index(name)
        return written

    def __len__(self) -> int:
        return len(self.of)
