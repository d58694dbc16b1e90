"""Errors and agreement within categories of samples, such as captioners, caption lengths and kinds of words."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

from core.analysis.caption_words import PHRASE_KINDS, have, lengths
from core.analysis.score_table import Mask, ScoreTable, human_groups
from core.benchmarks.correlation import observed
from core.benchmarks.figures import rule_of
from core.statistics.intervals import clustered_mean_interval
from ui.services.analysis.agreement import compared, note, tau_cells
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.errors import needs
from ui.services.analysis.section import Asked, Found, Section
from ui.services.tables import Table, table_of

LENGTHS = (1, 7, 10, 13, 17)  # shortest length, in words, of each group of caption lengths; same for every data set
MOST_CAPTIONERS = 50  # maximum number of captioners in tables; more names than this are probably caption ids
Category = tuple[str, str, Mask]  # its kind, its name, and (samples,) which samples belong to it
_ABOUT = (
    "A caption can have several kinds of words. Within a single level of human judgement, τ has little meaning, "
    "because the judgements hardly differ."
)


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return a table for each kind of category that divides the samples. Raises NotFound."""
    dataset, table = asked.dataset, analyst.table(asked.dataset)
    within, human = analyst.chosen(dataset, asked.slice), table["human"]
    judged = np.isfinite(human) if within is None else np.isfinite(human) & within
    rule = rule_of(analyst.benchmark(dataset), table)
    scores = (table.metric(name) for name in table.with_raw(compared(analyst, asked)))
    columns = {one.name: (one, one.unit, np.isfinite(one.unit) & judged) for one in scores}

    def figures(category: Category, score: str) -> dict[str, Any] | None:
        facet, name, mask = category
        column, unit, known = columns[score]
        both = mask & known
        if not both.any():
            return None
        error = unit[both] - human[both]
        row: dict[str, Any] = {"facet": facet, facet: name}
        row |= {"score": column.label, "captions": int(both.sum()), "mean judgement": float(human[both].mean())}
        row |= {"mean score": float(unit[both].mean()), "mean error": float(error.mean())}
        row["95 % interval of mean error"] = clustered_mean_interval(error, table["image"][both], -1)
        row["mean |error|"] = float(np.abs(error).mean())
        if rule is None:
            return row
        taus = observed(table, np.where(both, column.value, np.nan), rule)
        return row | tau_cells(taus) | {"note": note(taus)}

    pairs = product(categories(table, analyst.codes(dataset)), columns)
    rows = [row for category, score in pairs if (row := figures(category, score)) is not None]
    facets = dict.fromkeys(row["facet"] for row in rows)
    return Found([_table(of, [row for row in rows if row["facet"] == of]) for of in facets], notes=[_ABOUT])


def categories(table: ScoreTable, codes: Sequence[Sequence[str]]) -> Iterator[Category]:
    """Yield the categories of a table's samples, one kind after the other. codes: the error codes of each sample.

    Categories by kinds of words or by error codes can overlap.
    """
    captioner = table.samples["captioner"].cat
    if 2 <= len(captioner.categories) <= MOST_CAPTIONERS:
        written = captioner.codes.to_numpy()
        yield from (("captioner", name, written == at) for at, name in enumerate(captioner.categories))
    _, names, group = human_groups(table["human"], table["level"])
    yield from (("human level", name, group == place) for place, name in enumerate(names))
    yield from (("caption length", name, mask) for name, mask in length_groups(table["caption"]).items())
    kinds = {kind: have(table["caption"], kind) for kind in PHRASE_KINDS}
    yield from (("kind of words", kind, mask) for kind, mask in kinds.items())
    yield "kind of words", "none of these", ~np.logical_or.reduce([*kinds.values()])
    for code in sorted({code for given in codes for code in given}):
        yield "error code", code, np.array([code in given for given in codes], dtype=bool)


def length_groups(captions: Iterable[str]) -> dict[str, Mask]:
    """Return the groups of caption lengths, shortest first. Groups may be empty."""
    words, groups = lengths(captions), {}
    for low, high in zip(LENGTHS, (*LENGTHS[1:], None), strict=True):
        name = f"{low} or more words" if high is None else f"{low}–{high - 1} words"
        groups[name] = (words >= low) & (words < (high or np.inf))
    return groups


def _table(facet: str, rows: list[dict[str, Any]]) -> Table[Any]:
    taus = ("τ-b", "95 % interval of τ-b", "τ-c", "95 % interval of τ-c")
    own = [{head: value for head, value in row.items() if head != "facet"} for row in rows]
    blank = {"τ-b": "", "τ-c": "", "note": ""}
    return table_of(f"By {facet}", own, decimals=dict.fromkeys(taus, 2), missing=blank, wide=("note",))


SECTION = Section("categories", "By category", made, needs)
