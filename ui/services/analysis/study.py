"""A study's results: mean ratings and tests, and agreement of raters."""

from typing import Any

import plotly.graph_objects as go

from core.errors import NotFound
from core.studies.asking.form_words import numbered
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Control, Figure, Found, Section, axis, figure, marker, words
from ui.services.studies.study_results import StudyResults, nothing_counts, study_results

SAME = "The table has the same numbers."
NAMED = {0: "abstained", -1: "no picture"}  # values that are stored like points, but are no judgements
NOTES = (
    "Intervals are bootstrapped over items. “Cannot judge” answers are counted, but are not part of the mean.",
    "“By chance alone” is the agreement expected from independent raters who use the points equally often.",
)


def made(analyst: Analyst, asked: Asked) -> Found:
    """Return the results of a study of the data set; by default of the newest. Raises NotFound."""
    known = analyst.reads.studies(asked.dataset)
    studies = [(str(one.id), one.name) for one in known]
    if not studies:
        raise NotFound(f"{asked.dataset} has no study.")
    named = {name: key for key, name in studies}.get(asked.options.get("study", ""))
    chosen = named or asked.option("study", studies)
    found = of_results(results(analyst, int(chosen)))
    return Found(found.tables, found.figures, found.notes, [Control("study", "Study", chosen, studies)])


def results(analyst: Analyst, study_id: int) -> StudyResults:
    """Return all results of a study, cached until ratings or the data set change. Raises NotFound."""
    study = analyst.workplace.repository.studies.get(study_id)
    what = ("study", study, analyst.reads.report_stamp())
    return analyst.cached(study.dataset, what, lambda: study_results(analyst.workplace, study))


def of_results(found: StudyResults) -> Found:
    """Return a study's results as tables, figures and notes."""
    study = found.study
    about = (
        f"{numbered(found.ratings, 'rating')} by {numbered(found.raters, 'rater')}."
        if found.ratings
        else nothing_counts(found.left_out)
    )
    notes = [study.notice, about, found.paragraph, *(NOTES if found.ratings else ())]
    tables = [table for table in found.tables if table.rows or table.footnote]
    scales: dict[tuple[int, ...], list[str]] = {}  # key: points of a scale; value: the criteria that use it
    for criterion in study.asks.criteria:
        scales.setdefault(criterion.scale, []).append(criterion.key)
    drawn = [one for scale, keys in scales.items() for one in _figures(found, scale, keys)] if found.ratings else []
    return Found(tables, drawn, [note for note in notes if note])


def _figures(found: StudyResults, scale: tuple[int, ...], criteria: list[str]) -> list[Figure]:
    """Return the figures of one rating scale. Ratings on different scales cannot be compared in one figure."""
    rows = [row for row in found.means.rows if row["criterion"] in criteria and row["mean"] is not None]
    shares = [row for row in found.distribution.rows if row.criterion in criteria]
    if not rows:
        return []
    means: list[Any] = []
    for place, metric in enumerate(dict.fromkeys(row["metric"] for row in rows)):
        here: list[Any] = [row for row in rows if row["metric"] == metric]
        high = [(row["ci_high"] or row["mean"]) - row["mean"] for row in here]
        low = [row["mean"] - (row["ci_low"] or row["mean"]) for row in here]
        bars = {"array": high, "arrayminus": low, "symmetric": False, "thickness": 2}
        points = {"x": [row["mean"] for row in here], "y": [_name(**row) for row in here], "error_x": bars}
        means.append(go.Scatter(mode="markers", name=words(metric), marker=marker(place, size=10), **points))
    parts: list[Any] = []
    for point in sorted({row.point for row in shares}, key=lambda point: (point <= 0, abs(point))):
        of = [row for row in shares if row.point == point]
        opacity = 0.2 if point <= 0 else 0.3 + 0.7 * point / scale[-1]
        pattern = {"shape": "/" if point <= 0 else ""}
        look = {"color": f"rgba(0,98,155,{opacity:.2f})", "pattern": pattern, "line": {"width": 1}}
        values = {
            "x": [100 * row.share for row in of],
            "y": [_name(row.criterion, row.metric) for row in of],
            "text": [str(point)] * len(of),
        }
        name = NAMED.get(point, f"point {point}")
        parts.append(go.Bar(orientation="h", name=name, marker=look, customdata=[row.count for row in of], **values))
    names = list(dict.fromkeys(_name(**row) for row in rows))[::-1]
    across = axis("", type="category", categoryorder="array", categoryarray=names, automargin=True)
    ends = (scale[0], scale[-1])
    on, height = f" on the scale {ends[0]}–{ends[1]}", 110 + 34 * len(names)
    said = f"Mean ratings with 95 % intervals. {SAME}", f"How often each rating was given. {SAME}"
    share = axis("share of ratings, %", (0, 100))
    return [
        figure(f"Mean ratings{on}", said[0], means, axis("mean rating", ends), across, height=height),
        figure(f"Distribution of ratings{on}", said[1], parts, share, across, height=height, barmode="stack"),
    ]


def _name(criterion: str, metric: str, **_: object) -> str:
    return words(f"{criterion} · {metric}")


SECTION = Section(
    "study",
    "A study’s results",
    made,
    lambda analyst, dataset, _here: "" if analyst.reads.studies(dataset) else "a study of these captions",
    in_report=False,
    is_cached=False,  # settings of a study, such as its notice, can change too
)
