"""Export a study for a paper, as one ZIP file.

It holds the methods paragraph, tables as LaTeX and CSV, and figures as SVG.
"""

import csv
import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any

from core.studies.results.export import neutralised
from ui.report.latex import latex_of, latex_table
from ui.report.latex_text import escaped
from ui.report.study import figures_of
from ui.services.studies.study_results import StudyResults
from ui.services.studies.study_tables import RatedMetric
from ui.services.tables import Kind, Table, spreadsheet

# Values of the page's CSS variables for colours and fonts. They replace the variables in a figure for a paper, because
# the variables exist only on the page.
_COLOURS = {
    "var(--accent)": "#00629b",
    "var(--edge)": "#6e7781",
    "var(--line)": "#d0d7de",
    "var(--paper)": "#ffffff",
    "currentColor": "#1b1f24",
}
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # fixed time of the archive's files, so that the same study gives the same bytes


def paper_zip(found: StudyResults) -> bytes:
    """Return the content of the ZIP file with a paper's material.

    The material is a study's methods paragraph, tables and figures.
    """
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _files(found):
            about = zipfile.ZipInfo(name, _EARLIEST)
            about.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(about, text)
    return content.getvalue()


def _files(found: StudyResults) -> Iterator[tuple[str, str]]:
    yield "methods.txt", found.paragraph + "\n"
    yield "methods.tex", escaped(found.paragraph) + "\n"
    if found.means.rows:
        yield "ratings-as-in-papers.tex", by_criterion(found.means)
    tables = (found.means, found.tests, found.agreement, found.distribution, found.positions, found.rater_table)
    every: tuple[Table[Any], ...] = (*tables, found.rating_errors, found.flow, found.methods)
    for one in every:
        if one.rows:
            yield f"tables/{_name(one.title)}.tex", latex_table(one)
            yield f"tables/{_name(one.title)}.csv", _csv(one)
    for number, drawn in enumerate(figures_of(found), 1):
        yield f"figures/{'means' if number % 2 else 'distribution'}-{(number + 1) // 2}.svg", _printed(drawn)


def _printed(drawn: str) -> str:
    """Return a figure with fixed colours and fonts for print.

    They replace the CSS variables of the page.
    """
    for ours, theirs in _COLOURS.items():
        drawn = drawn.replace(ours, theirs)
    return drawn


def by_criterion(means: Table[RatedMetric]) -> str:
    """Return mean ratings and standard deviations as papers print them.

    Metrics are rows and criteria are columns.
    """
    criteria = list(dict.fromkeys(row.criterion for row in means.rows))
    metrics = list(dict.fromkeys(row.metric for row in means.rows))
    means_by_row = {(row.metric, row.criterion): _mean(row) for row in means.rows}
    lines = [[metric, *(means_by_row.get((metric, criterion), "") for criterion in criteria)] for metric in metrics]
    heads: list[tuple[str, Kind]] = [("metric", "text"), *((criterion, "number") for criterion in criteria)]
    return latex_of("Mean ratings (standard deviation)", heads, lines)


def _mean(row: RatedMetric) -> str:
    if row.mean is None:
        return "undefined"
    return f"{row.mean:.2f}" + ("" if row.sd is None else f" ({row.sd:.2f})")


def _csv(found: Table[Any]) -> str:
    heads, lines = spreadsheet(found)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(map(neutralised, heads))
    # Numbers stay unchanged, but texts are neutralised, because a spreadsheet must not run them as formulas.
    writer.writerows([cell.exact or neutralised(cell.text) for cell in line] for line in lines)
    return text.getvalue()


def _name(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.partition("(")[0].lower()).strip("-")
