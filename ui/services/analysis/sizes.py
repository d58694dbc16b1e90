"""Describe data sets side by side: sizes, caption lengths, human judgements."""

import numpy as np

from core.arrays import Floats
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Found, Section
from ui.services.tables import Column, Table, count, number, text


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return a row for each data set; without names, for all. Raises NotFound."""
    known = {one.name: one for one in analyst.workplace.repository.samples.datasets()}
    rows = []
    for name in dict.fromkeys(asked.datasets) or known:
        table, words = analyst.table(name), analyst.captions(name).words
        if not len(table.ids):
            continue
        human = table.human[np.isfinite(table.human)]
        counts = analyst.judged(name).samples.counts
        rows.append(
            {
                "dataset": name,
                "samples": len(table.ids),
                "images": len(np.unique(table.images)),
                "captioners": len(analyst.captioners(name).names),
                "annotated": known[name].annotated,
                "judged": len(human),
                "judgements": float(counts[counts > 0].mean()) if (counts > 0).any() else None,
                "words": float(words.mean()),
                "words_sd": _sd(words),
                "shortest": float(words.min()),
                "median_words": float(np.median(words)),
                "longest": float(words.max()),
                "human": float(human.mean()) if len(human) else None,
                "human_sd": _sd(human),
                "low": _share(human, 0, 1 / 3),
                "middle": _share(human, 1 / 3, 2 / 3),
                "high": _share(human, 2 / 3, np.inf),
            }
        )
    footnote = "Human judgements are rescaled to 0–1. Words are counted by the spaces between them."
    return Found([Table("Data sets", _COLUMNS, rows, footnote)])


def _sd(values: Floats) -> float | None:
    return float(values.std(ddof=1)) if len(values) > 1 else None


def _share(values: Floats, low: float, high: float) -> float | None:
    return float(((values >= low) & (values < high)).mean()) if len(values) else None


_COLUMNS = (
    text("data set", "dataset"),
    count("captions", "samples"),
    count("images", "images"),
    count("captioners", "captioners"),
    count("with regions", "annotated", brief=False),
    count("judged", "judged"),
    number("judgements each", "judgements", 1, undefined="–"),
    number("mean words", "words", 1),
    number("sd of words", "words_sd", 1, undefined="–"),
    number("shortest", "shortest", 0, brief=False),
    number("median words", "median_words", 0, brief=False),
    number("longest", "longest", 0),
    number("mean judgement", "human", undefined="–"),
    number("sd", "human_sd", undefined="–"),
    Column("below 1/3", ("low",), "share", undefined="–"),
    Column("middle", ("middle",), "share", undefined="–"),
    Column("2/3 and above", ("high",), "share", undefined="–"),
)
SECTION = Section("sizes", "Data sets", made, on_page=False, in_report=False)
