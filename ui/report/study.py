"""The report's part on a study.

It shows the ratings, the agreement of raters, and whether samples with low ratings have large errors.
"""

from collections.abc import Iterator
from dataclasses import asdict

from ui.report.html import figures, heading, paragraph, table
from ui.report.study_figures import distribution_svg, means_svg
from ui.services.studies.study_results import StudyResults

_CHANCE = (
    "“By chance alone” is the agreement expected from independent raters who use the points equally often. If most "
    "ratings are high, raters often agree by chance."
)

_SEVERITY = (
    "Severity is the mean rating of the other raters on the same questions minus this rater’s rating, as a share of "
    "the scale. Above 0, the rater is stricter than the others. Raters excluded from the report are not compared."
)
_PLACES = (
    "The effect of a position is the mean rating of explanations at that position minus the same rater’s mean on "
    "the whole page, as a share of the scale. Intervals are bootstrapped over items. 0 means that the position has "
    "no effect."
)


def study_parts(found: StudyResults) -> Iterator[str]:
    """Yield the HTML parts of a study's report."""
    raters = f"{found.raters} rater" + ("" if found.raters == 1 else "s")
    about = f": {found.ratings:,} ratings by {raters}" if found.ratings or not found.counted else ""
    yield paragraph(f"Data set {found.dataset}{about}.")
    if found.notice:
        yield paragraph(found.notice, "notice")
    if found.left_out.rows:
        yield heading(found.left_out.title)
        yield paragraph("These ratings are stored and exported, but this report excludes them.", "quiet")
        yield table(found.left_out, "")
    if found.flow.rows:
        yield heading(found.flow.title) + table(found.flow, "")
    if not found.counted:
        yield paragraph(found.nothing)
        return
    yield heading(found.methods.title) + paragraph(found.paragraph)
    yield table(found.methods, "")
    if not found.ratings:
        return
    yield heading(found.means.title)
    yield paragraph(
        "Intervals are bootstrapped over items. “Cannot judge” answers are counted, but are not part of the mean.",
        "quiet",
    )
    yield table(found.means, "")
    yield table(found.distribution, "")
    yield figures(list(figures_of(found)))
    yield heading(found.tests.title) + table(found.tests, "There is only one metric, so nothing can be compared.")
    yield heading(found.agreement.title) + paragraph(_CHANCE, "quiet")
    yield table(found.agreement, "Every rater chose “cannot judge” for every item, so agreement is undefined.")
    if found.positions.rows:
        yield heading(found.positions.title) + paragraph(_PLACES, "quiet") + table(found.positions, "")
    yield heading(found.rater_table.title) + paragraph(_SEVERITY, "quiet") + table(found.rater_table, "")
    yield heading(found.rating_errors.title) + paragraph(f"{found.rating_errors_test}.", "quiet")
    yield table(found.rating_errors, "No rated sample has a human judgement of its caption.")


def figures_of(found: StudyResults) -> Iterator[str]:
    """Yield the figures of a study, separately for each rating scale.

    A mean rating of 3 has different meanings on scales of four and of seven points.
    """
    for scale in found.scales:
        rows, shares = (
            [asdict(row) for row in part.rows if row.criterion in scale.criteria]
            for part in (found.means, found.distribution)
        )
        if rows:
            yield means_svg(rows, scale.points)
            yield distribution_svg(shares, scale.points)
