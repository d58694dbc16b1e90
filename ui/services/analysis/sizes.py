"""Describe data sets side by side: sizes, caption lengths, human judgements."""

import numpy as np

from core.analysis.caption_words import lengths
from core.arrays import Floats
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Found, Section
from ui.services.tables import Kind, table_of


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return a row for each data set; without names, for all. Raises NotFound."""
    known = {one.name: one for one in analyst.workplace.repository.samples.datasets()}
    rows = []
    for name in dict.fromkeys(asked.datasets) or known:
        table = analyst.table(name)
        if not len(table):
            continue
        words, counts, human = lengths(table["caption"]), table["counts"], table["human"]
        human = human[np.isfinite(human)]
        rows.append(
            {
                "data set": name,
                "captions": len(table),
                "images": len(np.unique(table["image"])),
                "captioners": table.samples["captioner"].nunique(),
                "with regions": known[name].annotated,
                "judged": len(human),
                "judgements each": float(counts[counts > 0].mean()) if (counts > 0).any() else None,
                "mean words": float(words.mean()),
                "sd of words": _sd(words),
                "shortest": float(words.min()),
                "median words": float(np.median(words)),
                "longest": float(words.max()),
                "mean judgement": float(human.mean()) if len(human) else None,
                "sd": _sd(human),
                "below 1/3": _share(human < 1 / 3),
                "middle": _share((human >= 1 / 3) & (human < 2 / 3)),
                "2/3 and above": _share(human >= 2 / 3),
            }
        )
    footnote = "Human judgements are rescaled to 0–1. Words are counted by the spaces between them."
    shares: dict[str, Kind] = dict.fromkeys(("below 1/3", "middle", "2/3 and above"), "share")
    none = dict.fromkeys(("judgements each", "sd of words", "mean judgement", "sd", *shares), "–")
    one, zero = ("judgements each", "mean words", "sd of words"), ("shortest", "median words", "longest")
    places = dict.fromkeys(one, 1) | dict.fromkeys(zero, 0)
    wide = ("with regions", "shortest", "median words")
    return Found([table_of("Data sets", rows, footnote, decimals=places, kinds=shares, missing=none, wide=wide)])


def _sd(values: Floats) -> float | None:
    return float(values.std(ddof=1)) if len(values) > 1 else None


def _share(values: Floats) -> float | None:
    return float(values.mean()) if len(values) else None


SECTION = Section("sizes", "Data sets", made, on_page=False, in_report=False, is_cached=False)
