"""Compare captioners: means, ranks, corpus-level scores, differences, and agreement of rankings with people."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from core.analysis.captioners import MOST, Captioners
from core.analysis.column_names import part_name
from core.analysis.score_table import Mask, MetricColumn, ScoreTable
from core.arrays import Floats
from core.errors import BadSetting, NotFound
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Facts, Found, Section, menu
from ui.services.tables import Column, Kind, Table, count, ends, interval, interval100, number, table_of, text, times100

if TYPE_CHECKING:
    from core.benchmarks.systems import Ranking

PEOPLE = "people"
CORPUS = (
    "“corpus” is one value over all captions of a captioner, as papers and COCO’s program print it. The other value of "
    "the metric is the mean of the captions’ own values. COCO’s program takes this mean too for CIDEr and ROUGE-L."
)


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return the comparison of a data set's captioners. Raises NotFound, and BadSetting for too few or too many."""
    from core.benchmarks.systems import ranking  # imported late, so that scipy is loaded only if needed

    table, within = analyst.table(asked.dataset), analyst.chosen(asked.dataset, asked.slice)
    captioners = present(analyst.captioners(asked.dataset), within)
    shown = [table.metric(name) for name in asked.metrics or tuple(table.metrics)]
    scores = {PEOPLE: table.human, **{one.label: one.value for one in shown}}
    every = {
        label: ranking(captioners.of, table.images, values, len(captioners.names)) for label, values in scores.items()
    }
    ranked = {label: one for label, one in every.items() if len(one.known)}
    corpus = _corpus(analyst, table, shown, captioners, ranked)
    compared = [one.label for one in shown if not one.by_people and one.label in ranked]
    against = [("", "nobody"), *((name, name) for name in captioners.names)]
    chosen = _named(captioners, asked.options.get("against", ""))
    lengths = [("no", "not shown"), ("yes", "shown")]
    tables: list[Table[Any]] = [
        _means(captioners, ranked, corpus),
        _agreement(ranked, compared),
        _differences(captioners, ranked, chosen) if chosen else Table("", (), []),
        _lengths(analyst, asked, captioners, scores)
        if asked.option("lengths", lengths) == "yes"
        else Table("", (), []),
    ]
    controls = [
        menu(asked, "against", "Test against", against),
        menu(asked, "lengths", "By caption length", lengths),
    ]
    notes = [*_images(ranked), *([CORPUS] if corpus else [])]
    return Found([one for one in tables if one.rows], notes=notes, controls=controls)


def present(captioners: Captioners, chosen: Mask | None) -> Captioners:
    """Return the captioners of the chosen samples only, numbered anew.

    Raises BadSetting if the captioners cannot be compared.
    """
    of = captioners.of if chosen is None else np.where(chosen, captioners.of, -1)
    known = np.unique(of[of >= 0])
    names = tuple(captioners.names[place] for place in known.tolist())
    if not names:
        raise BadSetting(
            "No caption here has a captioner. Import the data again and name the captioner by a field or an option."
        )
    if len(names) == 1:
        raise BadSetting(f"All captions with a captioner are by {names[0]}. A comparison needs two captioners.")
    if len(names) > MOST:
        raise BadSetting(f"There are {len(names):,} captioners here, but at most {MOST} can be compared.")
    return Captioners(names, np.where(of >= 0, np.searchsorted(known, of), -1))


def _named(captioners: Captioners, name: str) -> str:
    if not name:
        return ""
    found = next((one for one in captioners.names if one.strip().casefold() == name.strip().casefold()), None)
    if found is None:
        raise NotFound(f"There is no captioner {name!r} here. Captioners: {', '.join(captioners.names)}.")
    return found


def _corpus(
    analyst: Analyst,
    table: ScoreTable,
    shown: Sequence[MetricColumn],
    captioners: Captioners,
    ranked: "Mapping[str, Ranking]",
) -> dict[str, Floats]:
    """Return the corpus-level value of each captioner, for the metrics that have one. key: the column's label."""
    known = {metric.name: metric for metric in analyst.workplace.metrics}
    found: dict[str, Floats] = {}
    for column in shown:
        of_corpus = getattr(known.get(column.metric), "corpus_value", None)
        if of_corpus is None or column.part or column.label not in ranked:
            continue
        names = analyst.workplace.repository.analysis.part_counts(table, column.name)
        parts = {name: table.metric(part_name(column.name, name)).value for name in names}
        used = np.isin(table.images, ranked[column.label].influence.index) & np.isfinite(column.value)
        masks = [used & (captioners.of == place) for place in range(len(captioners.names))]
        values = [of_corpus({name: of[mask] for name, of in parts.items()}) if mask.any() else np.nan for mask in masks]
        found[column.label] = np.array(values)
    return found


def _means(captioners: Captioners, ranked: "Mapping[str, Ranking]", corpus: Mapping[str, Floats]) -> Table[Any]:
    """Return a row for each captioner, sorted by the first ranking."""
    ranks = {label: one.ranks for label, one in ranked.items()}
    written = np.bincount(captioners.of[captioners.of >= 0], minlength=len(captioners.names))
    first = next(iter(ranks.values()), np.zeros(len(captioners.names)))
    rows = []
    for place in np.argsort(np.where(first > 0, first, np.inf), kind="stable").tolist():
        row: dict[str, Any] = {"captioner": captioners.names[place], "captions": int(written[place])}
        for label, one in ranked.items():
            mean, rank = float(one.means[place]), int(ranks[label][place])
            row |= {label: mean if rank else None, f"{label} rank": rank or None, **ends(label, one.interval(place))}
            if label in corpus:
                row[f"{label} corpus"] = float(corpus[label][place])
        rows.append(row)
    columns: list[Column] = [text("captioner", "captioner"), count("captions", "captions")]
    for label in ranked:
        columns += [
            count(f"{label}: rank", f"{label} rank", undefined="no score"),
            number(f"{label}: mean", label, undefined=""),
        ]
        columns += [interval("95 % interval", label)]
        columns += [number(f"{label}: corpus", f"{label} corpus", undefined="")] if label in corpus else []
    return Table("Captioners by score", tuple(columns), rows)


def _agreement(ranked: "Mapping[str, Ranking]", compared: Sequence[str]) -> Table[Any]:
    from core.benchmarks.systems import agreement

    rows, wide = [], ["note"]
    for label in compared if PEOPLE in ranked else ():
        found = agreement(ranked[label], ranked[PEOPLE])
        row: dict[str, Any] = {"score": label, "captioners": found.captioners, "images": found.images}
        for head, name in (("Pearson", "pearson"), ("Spearman", "spearman"), ("Kendall τ-b", "kendall")):
            row[head] = times100(found.values.get(name))
            row[f"95 % interval of {head}"] = interval100(found.intervals.get(name))
            wide += [] if name == "kendall" else [f"95 % interval of {head}"]
        rows.append(row | {"note": found.note})
    title = "Do metrics rank captioners as people do? Correlations × 100"
    return table_of(title, rows, decimals=2, wide=wide)


def _differences(captioners: Captioners, ranked: "Mapping[str, Ranking]", against: str) -> Table[Any]:
    from core.benchmarks.systems import difference
    from core.statistics.significance import holm

    base, rows = captioners.names.index(against), list[dict[str, Any]]()
    for label, of in ranked.items():
        for place, name in enumerate(captioners.names):
            if place != base:
                one = difference(of, place, base)
                row = {"score": label, "captioner": name, "images": of.images, "difference": one.value}
                rows.append(row | {"95 % interval": one.interval, "p": one.p, "p, Holm": None, "note": one.note})
    for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row["p, Holm"] = p
    kinds: dict[str, Kind] = {"p": "p", "p, Holm": "p"}
    about = "A paired test over images."
    return table_of(f"Differences to {against}", rows, about, kinds=kinds, wide=("note",))


def _lengths(analyst: Analyst, asked: Asked, captioners: Captioners, scores: Mapping[str, Floats]) -> Table[Any]:
    from core.benchmarks.categories import lengths

    known = {label: values for label, values in scores.items() if np.isfinite(values[captioners.of >= 0]).any()}
    rows = []
    for name in captioners.names:
        for group in lengths(analyst.captions(asked.dataset)):
            chosen = group.mask & captioners.by(name)
            if not chosen.any():
                continue
            row: dict[str, Any] = {"captioner": name, "length": group.name, "captions": int(chosen.sum())}
            for label, values in known.items():
                finite = values[chosen][np.isfinite(values[chosen])]
                row |= {label: float(finite.mean()) if len(finite) else None, f"n {label}": len(finite)}
            rows.append(row)
    of_scores = [
        c for label in known for c in (number(label, label, undefined="no score"), count(f"n, {label}", f"n {label}"))
    ]
    names = (text("captioner", "captioner"), text("caption length", "length"), count("captions", "captions"))
    footnote = (
        "Each mean covers the captioner’s captions of this length; captioners may have described different images."
    )
    return Table("Captioners by caption length", (*names, *of_scores), rows, footnote)


def _images(ranked: "Mapping[str, Ranking]") -> list[str]:
    shared = {label: of.images for label, of in ranked.items() if of.is_shared}
    own = [label for label, of in ranked.items() if not of.is_shared]
    notes = []
    if shared:
        one_number = len({*shared.values()}) == 1 and not own
        counts = ", ".join(f"{label}: {images:,}" for label, images in shared.items())
        images = f"{next(iter(shared.values())):,} images" if one_number else f"images ({counts})"
        notes.append(f"Means are over the {images} that all captioners captioned. Intervals are over images.")
    if own:
        notes.append(
            f"Too few images have captions by all captioners ({', '.join(own)}), so each captioner’s mean is over its "
            "own images. Differences may come from the images instead of the captioners."
        )
    return notes


def needs(facts: Facts) -> str:
    """Return what the section lacks."""
    return "" if facts.captioners > 1 else "names of two captioners"


SECTION = Section("captioners", "Captioners", made, needs)
