"""Polaris-exp and Nebula-exp: human scores with GPT-4o's explanations.

Source: EXPERT, Section 3 and Appendix A. The file is a JSON list of {id, imgid, mt, score, count, explanation:
{fluency, relevance, descriptiveness}}. The field score is the mean human score in [0, 1]. The field count is the number
of judgements; it is absent in Nebula-exp.
"""

from collections.abc import Iterator
from functools import partial

from core.datasets.base import Format, Record, Source
from core.datasets.files import entry_rows, json_list
from core.datasets.rows import SYSTEMS, Row, records_of
from core.signature import signature
from core.types import Explanation, Score

ASPECTS = ("fluency", "relevance", "descriptiveness")


def read(source: Source, format_name: str, metric: str) -> Iterator[Record]:
    """Yield one record per entry.

    The record's only score is the human score, with GPT-4o's explanation.
    """
    make = partial(_record, source.metric or metric, format_name)
    return records_of(source, entry_rows(source, json_list(source)), make)


def _record(metric: str, format_name: str, row: Row) -> Record:
    human = row.number_in("score", 0, 1)
    explanation = row.nested("explanation", "an object with fluency, relevance and descriptiveness")
    score = Score(
        metric=metric,
        value=human,
        signature=signature(metric, source=format_name),
        components={} if row.get("count") is None else {"count": float(row.whole("count", 1, 1_000_000))},
        explanation=Explanation(rationales={aspect: explanation.text(aspect) for aspect in ASPECTS}),
    )
    caption, system = row.text("mt"), row.system(*SYSTEMS)
    return row.record(row.text("id"), row.text("imgid"), caption, human=human, scores=(score,), system=system)


POLARIS_EXP = Format(
    name="polaris-exp",
    summary="Polaris-exp (JSON): captions with their mean human score and its explanation in three aspects",
    suffixes=(".json",),
    reader=partial(read, format_name="polaris-exp", metric="Polaris-exp"),
    takes_metric=True,
)
NEBULA_EXP = Format(
    name="nebula-exp",
    summary="Nebula-exp (JSON): captions with their mean human score and its explanation in three aspects",
    suffixes=(".json",),
    reader=partial(read, format_name="nebula-exp", metric="Nebula-exp"),
    takes_metric=True,
)
