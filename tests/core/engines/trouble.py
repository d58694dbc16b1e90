"""Metrics that end their process, cannot be loaded, or fail as nobody foresaw. No test lives here."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

from core.models import ModelSettings
from core.types import Outcome, Sample, Score
from tests.ui.fake_metrics import Lengths


class Deadly(Lengths):
    """Ends its process at certain captions, and notes how often it began one."""

    name = "Deadly"

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        made = cls()
        made.notes = Path(settings.options["notes"])  # type: ignore[attr-defined]
        return made

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        for sample in samples:
            if "deadly" in sample.candidate:
                (self.notes / f"{sample.key}-{os.getpid()}").touch()  # type: ignore[attr-defined]
                os._exit(9)
            size = len(sample.image.path.read_bytes()) if sample.image.path else 0
            yield Score(self.name, float(len(sample.candidate)), self.signature(), self.scale, {"bytes": float(size)})
