"""A stored study: its design, and facts about its items."""

from dataclasses import dataclass

from core.json_types import Counts, UtcTime
from core.studies.asking.form import Form, Layout
from core.studies.design import State, StudyDesign
from core.studies.planning.gold import Controls, Workload, workload


@dataclass(frozen=True, slots=True)
class Study:
    """A stored study: its design, and facts about its items."""

    id: int
    name: str
    dataset: str
    notice: str  # warning for everyone who sees the data of the study's data set
    state: State
    design: StudyDesign
    asks: Form  # the study's form (its questions), with the criteria of this study only
    strata: Counts  # key: stratum; value: number of selected captions
    metrics: tuple[str, ...]  # all metrics whose explanations are rated
    items: int  # number of items that count in results
    captions: int  # number of captions in the items
    without_picture: int  # number of items whose picture is missing
    panels: int  # largest number of explanations side by side
    created_at: UtcTime
    stamp: str  # changes with each change of the study; a request that changes the study must send the current one

    @property
    def form(self) -> Layout:
        """The layout of the study's form."""
        return self.asks.layout

    @property
    def items_for_one(self) -> int:
        """Return the maximum number of items that count in results for one rater."""
        return self.design.still_gets(0, self.items)

    def workload(self, controls: Controls) -> Workload:
        """Return the largest workload that a new rater can get, with practice and gold items (with known answers)."""
        return workload(self.design.seed, self.items_for_one, controls)
