"""Compare captioners: means, ranks, corpus-level scores, and agreement of rankings with people."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.analysis.score_table import MetricColumn, ScoreTable
from core.benchmarks.systems import Ranking, agreement, ranking
from core.errors import BadSetting
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.categories import MOST_CAPTIONERS
from ui.services.analysis.section import Asked, Found, Section
from ui.services.tables import Table, table_of, times100

PEOPLE = "people"
CORPUS = (
    "“corpus” is one value over all captions of a captioner, as papers and COCO’s program print it. The other value of "
    "the metric is the mean of the captions’ own values. COCO’s program takes this mean too for CIDEr and ROUGE-L."
)
MISSING = {"rank": "no score", "mean": "", "corpus": ""}  # texts for missing values
Rankings = Mapping[str, Ranking]  # key: label of the score


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return the comparison of a data set's captioners. Raises BadSetting for too few or too many."""
    table = analyst.table(asked.dataset, asked.slice)
    names, of = _captioners(table)
    shown = [table.metric(name) for name in asked.metrics or tuple(table.metrics)]
    scores = {PEOPLE: (table["human"], (0.0, 1.0)), **{one.label: (one.value, one.scale) for one in shown}}
    every = {label: ranking(of, table["image"], one, len(names), ends) for label, (one, ends) in scores.items()}
    ranked = {label: one for label, one in every.items() if len(one.known)}
    corpus = _corpus(analyst, table, [one for one in shown if one.label in ranked], of, ranked)
    compared = [one.label for one in shown if not one.by_people and one.label in ranked]
    tables = [_means(names, of, ranked, corpus), _agreement(ranked, compared)]
    notes = [*_images(ranked), *([CORPUS] if corpus else [])]
    return Found([one for one in tables if one.rows], notes=notes)


def _captioners(table: ScoreTable) -> tuple[list[str], Any]:
    """Return the captioners' names, and the index of each sample's captioner; -1: unknown. Raises BadSetting."""
    captioner = table.samples["captioner"].cat.remove_unused_categories().cat
    names = captioner.categories.tolist()
    if not names:
        raise BadSetting(
            "No caption here has a captioner. Import the data again and name the captioner by a field or an option."
        )
    if len(names) == 1:
        raise BadSetting(f"All captions with a captioner are by {names[0]}. A comparison needs two captioners.")
    if len(names) > MOST_CAPTIONERS:
        raise BadSetting(f"There are {len(names):,} captioners here, but at most {MOST_CAPTIONERS} can be compared.")
    return names, captioner.codes.to_numpy(np.int64)


def _corpus(
    analyst: Analyst, table: ScoreTable, shown: Sequence[MetricColumn], of: Any, ranked: Rankings
) -> dict[str, list[float | None]]:
    """Return the corpus-level value of each captioner, for the metrics that have one. key: the column's label."""
    known = {metric.name: metric for metric in analyst.workplace.metrics}
    found: dict[str, list[float | None]] = {}
    for column in shown:
        of_corpus = getattr(known.get(column.metric), "corpus_value", None)
        if of_corpus is None or column.part:
            continue
        parts, own = {name: part.value for name, part in table.parts(column.name).items()}, ranked[column.label]
        used = np.isin(table["image"], own.influence.index) & np.isfinite(column.value)
        masks = [used & (of == place) for place in range(len(own.means))]
        given = [{name: of[mask] for name, of in parts.items()} if mask.any() else None for mask in masks]
        found[column.label] = [None if of is None else float(of_corpus(of)) for of in given]
    return found


def _means(names: Sequence[str], of: Any, ranked: Rankings, corpus: Mapping[str, list[float | None]]) -> Table[Any]:
    ranks = {label: one.ranks for label, one in ranked.items()}
    written = np.bincount(of[of >= 0], minlength=len(names))
    first = next(iter(ranks.values()), np.zeros(len(names)))
    rows = []
    for place in np.argsort(np.where(first > 0, first, np.inf), kind="stable").tolist():
        row: dict[str, Any] = {"captioner": names[place], "captions": int(written[place])}
        for label, one in ranked.items():
            mean, rank = float(one.means[place]), int(ranks[label][place])
            row |= {f"{label}: rank": rank or None, f"{label}: mean": mean if rank else None}
            row[f"{label}: 95 % interval"] = one.interval(place)
            if label in corpus:
                row[f"{label}: corpus"] = corpus[label][place]
        rows.append(row)
    missing = {f"{label}: {of}": words for label in ranked for of, words in MISSING.items()}
    return table_of("Captioners by score", rows, missing=missing)


def _agreement(ranked: Rankings, compared: Sequence[str]) -> Table[Any]:
    rows = []
    for label in compared if PEOPLE in ranked else ():
        found = agreement(ranked[label], ranked[PEOPLE])
        row = {"score": label, "captioners": found.captioners, "images": found.images}
        row |= {"Pearson": times100(found.pearson), "Spearman": times100(found.spearman)}
        rows.append(row | {"Kendall τ-b": times100(found.kendall), "note": found.note})
    title = "Do metrics rank captioners as people do? Correlations × 100"
    return table_of(title, rows, decimals=2, wide=("note",))


def _images(ranked: Rankings) -> list[str]:
    shared = [f"{label}: {of.images:,}" for label, of in ranked.items() if of.is_shared]
    own = [label for label, of in ranked.items() if not of.is_shared]
    notes = []
    if shared:
        images = ", ".join(shared)
        notes.append(f"Means are over the images that all captioners captioned ({images}). Intervals are over images.")
    if own:
        notes.append(
            f"Too few images have captions by all captioners ({', '.join(own)}), so each captioner’s mean is over its "
            "own images. Differences may come from the images instead of the captioners."
        )
    return notes


SECTION = Section(
    "captioners",
    "Captioners",
    made,
    lambda _analyst, _dataset, here: "" if here.samples["captioner"].nunique() > 1 else "names of two captioners",
)
