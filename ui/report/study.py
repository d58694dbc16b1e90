"""The report's part on a study.

It shows the ratings, the agreement of raters, and whether samples with low ratings have large errors.
"""

from collections.abc import Iterator
from dataclasses import asdict

from ui.report.html import figures, heading, paragraph, table
from ui.report.study_figures import distribution_svg, maps_svg, means_svg
from ui.services.studies.evidence_results import EvidenceResults
from ui.services.studies.study_results import StudyResults

_CHANCE = (
    "“By chance alone” is the agreement of independent raters with the same marginals. If most ratings are high, "
    "raters often agree by chance."
)

_SEVERITY = (
    "Severity is the other raters’ answer to the same questions minus this rater’s answer, as a share of the scale. "
    "Above 0, the rater is stricter than others. Raters excluded from the report are not compared."
)
_MAPS = (
    "A “wrong” judgement for which the rater marked a region or box counts 1, spread over its area. Maps of all "
    "pictures are added up. The second map shows the regions of these pictures: compare errors with it."
)
_ABSENCES = (
    "The table counts things that explanations claim to be there, but that no annotated region shows. Only kinds of "
    "things that annotators looked for count. Parser and annotations make errors: compare metrics on the same pictures."
)
_HINTS = (
    "After a rater has judged a sentence, a hint shows where its things are: on the picture, only in the caption, or "
    "in no annotated region. Shares are of the sentences with a hint. The log has the answers before and after it."
)
_PLACES = (
    "The effect of a position is the mean answer about explanations at that position minus the same rater’s mean on "
    "the whole page, as a share of the scale. Intervals are bootstrapped over items. 0: the position has no effect."
)


def study_parts(found: StudyResults) -> Iterator[str]:
    """Yield HTML parts of the page."""
    raters = f"{found.raters} rater" + ("" if found.raters == 1 else "s")
    about = f": {found.ratings:,} ratings by {raters}" if found.ratings or not found.counted else ""
    yield paragraph(f"Data set {found.dataset}{about}.")
    if found.notice:
        yield paragraph(found.notice, "notice")
    if found.evidence is not None and found.evidence.judgements:
        yield from _evidence(found.evidence)
    if found.left_out.rows:
        yield heading(found.left_out.title)
        yield paragraph("These ratings are stored and exported, but excluded from this report.", "quiet")
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
    yield paragraph("Intervals are bootstrapped over items; abstentions are counted, never averaged.", "quiet")
    yield table(found.means, "")
    yield table(found.distribution, "")
    yield figures(list(figures_of(found)))
    yield heading(found.tests.title) + table(found.tests, "There is only one metric, so nothing can be compared.")
    yield heading(found.agreement.title) + paragraph(_CHANCE, "quiet")
    yield table(found.agreement, "Every rater abstained throughout, so agreement is undefined.")
    if found.positions.rows:
        yield heading(found.positions.title) + paragraph(_PLACES, "quiet") + table(found.positions, "")
    yield heading(found.rater_table.title) + paragraph(_SEVERITY, "quiet") + table(found.rater_table, "")
    yield heading(found.rating_errors.title) + paragraph(f"{found.rating_errors_test}.", "quiet")
    yield table(found.rating_errors, "No rated sample has a human judgement of its caption.")


def _evidence(found: EvidenceResults) -> Iterator[str]:
    """Yield the results about judgements of sentences."""
    raters = f"{found.raters} rater" + ("" if found.raters == 1 else "s")
    yield heading(found.shares.title)
    yield paragraph(f"{found.judgements:,} judgements of sentences by {raters}; intervals resample items.", "quiet")
    yield table(found.shares, "")
    yield heading(found.agreement.title)
    yield table(found.agreement, "")
    if found.places.rows:
        yield heading(found.places.title) + table(found.places, "")
    if found.maps:
        yield heading("Where errors sit") + paragraph(_MAPS, "quiet") + figures([maps_svg(found.maps)])
    if found.absences.rows:
        yield heading(found.absences.title) + paragraph(_ABSENCES, "quiet") + table(found.absences, "")
    if found.beside_ratings.rows:
        yield heading(found.beside_ratings.title) + table(found.beside_ratings, "")
    if found.hints.rows:
        yield heading(found.hints.title) + paragraph(_HINTS, "quiet") + table(found.hints, "")
    yield heading(found.rater_table.title) + table(found.rater_table, "")
    yield heading(found.errors.title)
    yield table(found.errors, "No judged explanation is about a caption with human judgements.")


def figures_of(found: StudyResults) -> Iterator[str]:
    """Yield the figures, separately for each scale.

    A mean of 3 means different things on four and on seven points.
    """
    for scale in found.scales:
        rows, shares = (
            [asdict(row) for row in part.rows if row.criterion in scale.criteria]
            for part in (found.means, found.distribution)
        )
        if rows:
            yield means_svg(rows, scale.points)
            yield distribution_svg(shares, scale.points)
