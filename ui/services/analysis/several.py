"""One table over several data sets, like the first table in most papers, with a row for each metric."""

from collections.abc import Iterator
from typing import Any

from core.analysis.score_table import split
from core.benchmarks.figures import Correlated
from core.errors import BadSetting, NotFound
from ui.services.analysis.agreement import QUANTITIES, compared, figures, undefined
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Found, Section
from ui.services.tables import table_of, times100

DECIMALS = 1  # number of decimals that papers print


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return metrics' agreement with people on several data sets, without intervals.

    Each column names its unit. Raises NotFound, BadSetting.
    """
    scored = [one.name for one in analyst.reads.scored_datasets() if one.judged]
    datasets = asked.datasets if len(asked.datasets) > 1 else tuple(dict.fromkeys((*asked.datasets, *scored)))
    rows: dict[str, dict[str, Any]] = {}
    heads: dict[str, None] = {}
    notes, known = [], set[str]()
    for dataset in datasets:
        table = analyst.table(dataset)
        here = {column.metric for column in table.compared.values()}
        known |= here
        metrics = tuple(one for one in asked.metrics if one in here or one in table.metrics)
        if not here or (asked.metrics and not metrics):
            notes.append(f"{dataset} has no score of {' or '.join(asked.metrics) or 'a metric'}.")
            continue
        own = Asked((dataset,), metrics, options=asked.options)
        names = compared(analyst, own)
        try:
            found, used = figures(analyst, own, analyst.benchmark(dataset), names, compare=False)
        except BadSetting as error:
            notes.append(str(error))
            continue
        for head, name, value in _values(dataset, found):
            metric, part = split(name)
            rows.setdefault(f"{table.metric(metric).metric} {part}".strip(), {}).setdefault(head, value)
            heads[head] = None
        notes += [*(f"{dataset}: {remark}" for remark in undefined(found, used)), _size(dataset, found)]
    missing = [metric for metric in asked.metrics if metric not in known]
    if missing and len(asked.datasets) > 1:
        raise NotFound(f"None of these data sets has a score of {' or '.join(missing)}.")
    if not rows:
        raise BadSetting("None of these data sets has both scores and human judgements.")
    ordered = [{"metric": name, **{head: row.get(head) for head in heads}} for name, row in rows.items()]
    listed = table_of("Agreement × 100", ordered, decimals=DECIMALS, missing=dict.fromkeys(heads, "–"))
    return Found([listed], notes=notes)


def _values(dataset: str, found: Correlated) -> Iterator[tuple[str, str, float | None]]:
    """Yield head, column and value of each figure. A metric with several variants has its own score first."""
    letter = found.rule.tau if found.rule else "c"
    for (name, _), tau in found.taus.items():
        yield f"{dataset} τ-{letter}", name, times100(tau.tau(letter))
    categories = {row.category for row in found.accuracies}
    told = {"mean"} if "mean" in categories else categories
    for row in found.accuracies:
        if row.category in told:
            named = (dataset, row.category if len(told) > 1 else "", QUANTITIES["accuracy"])
            yield " ".join(filter(None, named)), row.metric, times100(row.accuracy)


def _size(dataset: str, found: Correlated) -> str:
    rule = "" if found.benchmark == dataset else f", by the rule of {found.benchmark}"
    return f"{dataset}{rule}: {found.n:,} {found.unit}."


SECTION = Section(
    "several",
    "Several data sets",
    made,
    lambda analyst, _dataset, _here: (
        ""
        if sum(one.judged for one in analyst.reads.scored_datasets()) > 1
        else "a second data set with scores and judgements"
    ),
    in_report=False,
    is_cached=False,
)
