"""List the components of metrics' scores, such as precision and recall, so that users can choose them as columns."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.analysis.column_names import part_name
from core.analysis.score_table import MetricColumn, ScoreTable
from core.metrics import meanings_of
from ui.services.analysis.analyst import Analyst


@dataclass(frozen=True, slots=True)
class KnownPart:
    """A component of a metric's scores, such as recall."""

    name: str  # name of the component's column
    part: str
    meaning: str  # meaning of the component in words; "": unknown
    scored: int  # samples


def known_parts(analyst: Analyst, dataset: str, metric: str) -> list[KnownPart]:
    """Return the components of a metric's scores, such as recall. Raises NotFound.

    Components with a known meaning come first, then the others sorted by name.
    """
    table = analyst.table(dataset)
    counts = analyst.workplace.repository.analysis.part_counts(table, metric)
    meanings = meanings_of(table.metric(metric).metric, analyst.workplace.metrics)
    order = [*(part for part in meanings if part in counts), *sorted(counts.keys() - meanings.keys())]
    return [KnownPart(part_name(metric, part), part, meanings.get(part, ""), counts[part]) for part in order]


def parts_beside_people(table: ScoreTable, column: MetricColumn, meanings: Mapping[str, str]) -> list[str]:
    """Return columns of a metric's components, with people's scores beside them.

    Each component's column is followed by the column with people's scores for this component. For example, HICE-S has
    precision and recall, and people gave "THumB precision" and "THumB recall". meanings: the meaning of each component
    of the metric. The result is empty if people scored none of the components.
    """
    if column.part or column.by_people:
        return []
    of_people = {name: one.metric.rpartition(" ")[2] for name, one in table.metrics.items() if one.by_people}
    pairs = ((part_name(column.name, part), name) for name, part in of_people.items() if part in meanings)
    return [name for pair in pairs for name in pair]
