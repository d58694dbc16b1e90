"""The report's part on a study: what raters said, how far they agree, and whether low ratings go with large errors."""

from collections.abc import Iterator
from typing import Any

from ui.report.html import Row, field, figures, heading, interval, paragraph, percent, table
from ui.report.study_figures import distribution_svg, means_svg

_CHANCE = (
    "“By chance” is what independent raters with these marginals would reach: top-heavy ratings agree often without "
    "agreeing about anything."
)


def study_parts(found: dict[str, Any]) -> Iterator[str]:
    """Yield the parts of the page; `found` is what ui.services.study_results makes."""
    raters = f"{found['raters']} rater" + ("" if found["raters"] == 1 else "s")
    yield paragraph(f"Data set {found['dataset']}: {found['ratings']:,} ratings by {raters}.")
    if found["notice"]:
        yield paragraph(found["notice"], "notice")
    if not found["ratings"]:
        yield paragraph("Nobody has rated yet.")
        return
    yield from _ratings(found)
    yield heading("Differences between metrics")
    yield paragraph("Wilcoxon’s signed-rank test on item means, two-sided, Holm over all rows.", "quiet")
    yield _tests(found["tests"])
    yield heading("Agreement between raters") + paragraph(_CHANCE, "quiet")
    yield _agreement(found["agreement"])
    yield heading("Ratings beside score errors") + paragraph(f"{found['rating_errors_test']}.", "quiet")
    yield _rating_errors(found["rating_errors"])


def _ratings(found: dict[str, Any]) -> Iterator[str]:
    yield heading("Ratings")
    yield paragraph("Intervals are bootstrapped over items; abstentions are counted, never averaged.", "quiet")
    yield figures(list(_figures(found)))
    columns = (
        ("metric", field("metric")),
        ("criterion", field("criterion")),
        ("scale", field("scale")),
        ("n", field("n")),
        ("mean", field("mean")),
        ("sd", field("sd")),
        ("95 % interval", interval),
        ("abstained", percent("abstain_rate")),
        ("published mean (sd)", field("published")),
        ("note", field("remark")),
    )
    yield table(found["rows"], columns, "Nobody has rated yet.")
    yield table(
        found["distribution"],
        (
            ("metric", field("metric")),
            ("criterion", field("criterion")),
            ("point", lambda row: "abstained" if row["point"] == 0 else str(row["point"])),
            ("given", field("count")),
            ("share", percent("share")),
        ),
        "Nobody has rated yet.",
    )


def _figures(found: dict[str, Any]) -> Iterator[str]:
    """Yield the figures of one scale after the other: a mean of 3 is not the same on four points and on seven."""
    for scale in found["scales"]:
        rows, shares = (
            [row for row in found[part] if row["criterion"] in scale["criteria"]] for part in ("rows", "distribution")
        )
        if rows:
            yield means_svg(rows, scale["points"])
            yield distribution_svg(shares, scale["points"])


def _tests(rows: list[Row]) -> str:
    columns = (
        ("criterion", field("criterion")),
        ("metrics", lambda row: f"{row['metric_a']} − {row['metric_b']}"),
        ("items", field("n_items")),
        ("difference", field("mean_difference")),
        ("statistic", field("statistic")),
        ("p", field("p")),
        ("p (Holm)", field("p_holm")),
        ("note", field("note")),
    )
    return table(rows, columns, "One metric only, so there is nothing to compare.")


def _agreement(agreements: list[dict[str, Any]]) -> str:
    rows = [
        one | one["agreement"] | coefficient for one in agreements for coefficient in one["agreement"]["coefficients"]
    ]
    columns = (
        ("criterion", field("criterion")),
        ("metric", field("metric", "all")),
        ("coefficient", field("name")),
        ("value", field("value")),
        ("95 % interval", interval),
        ("by chance", field("chance")),
        ("raters", field("raters")),
        ("shared items", field("shared_units")),
        ("note", field("note")),
    )
    return table(rows, columns, "Every rater abstained throughout, so there is nothing to agree about.")


def _rating_errors(rows: list[Row]) -> str:
    columns = (
        ("metric", field("metric")),
        ("criterion", field("criterion")),
        ("n", field("n")),
        ("low ratings", field("n_low")),
        ("their error", field("error_low", "no low ratings")),
        ("error of others", field("error_other", "no other ratings")),
        ("τ-b", field("tau_b")),
        ("p", field("p")),
        ("p (Holm)", field("p_holm")),
        ("note", field("note")),
    )
    return table(rows, columns, "No rated sample has a human judgement of its caption.")
