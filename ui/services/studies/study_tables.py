"""The columns of a study's result tables. The page, the report, CSV and LaTeX use the same columns."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from core.benchmarks.published import PUBLISHED_RATINGS
from core.studies.asking.criteria import NO_PICTURE, Criterion
from core.studies.results.report import CriterionAgreement, MetricComparison, PointShare, StudyReport
from storage.rating.item_reports import ReportedItem
from ui.services.tables import SHARE, SHOWN_INTERVAL, Column, Table, count, number, text

if TYPE_CHECKING:
    import pandas as pd


def ratings_table(report: StudyReport, criteria: Iterable[Criterion], metrics: Mapping[str, str]) -> Table[Any]:
    """Return a table of every metric's ratings, with the values that papers published. metrics: name by label."""
    scales = {criterion.key: criterion.scale_name for criterion in criteria}
    rows = [
        asdict(row)
        | {"scale": scales[row.criterion], "remark": row.note}
        | {"published": published(metrics.get(row.metric, ""), row.criterion)}
        for row in report.rows
    ]
    has_all = not any(row.no_picture_rate for row in report.rows)
    return Table("Ratings", tuple(column for column in _RATINGS if column is not _NO_PICTURE or not has_all), rows)


def tests_table(report: StudyReport) -> Table[MetricComparison]:
    """Return a table of the tests between metrics.

    Some comparisons between metrics could not be tested. A footnote states how many, for each reason.
    """
    title = "Differences between metrics (Wilcoxon signed-rank test on item means, with Holm’s correction)"
    reasons = Counter(test.note for test in report.tests if test.p is None)
    untested = ", ".join(f"{note} ({times})" for note, times in reasons.most_common())
    footnote = f"Comparisons without a test (number by reason): {untested}." if untested else ""
    return Table(title, _TESTS, [test for test in report.tests if test.p is not None], footnote)


def distribution_table(rows: Iterable[PointShare]) -> Table[PointShare]:
    """Return a table of how often raters gave each point."""
    shares = list(rows)
    missing = "; -1: picture missing" if any(share.point == NO_PICTURE for share in shares) else ""
    return Table(f"Distribution of ratings (0: cannot judge{missing})", _DISTRIBUTION, shares)


def agreement_table(agreements: Iterable[CriterionAgreement]) -> Table[Any]:
    """Return a table of raters' agreement, one row for each coefficient."""
    rows = [
        {"criterion": one.criterion, "metric": one.metric or "all"}
        | {name: getattr(each, name) for name in ("name", "value", "ci_low", "ci_high", "chance")}
        | {name: getattr(one.agreement, name) for name in ("raters", "units", "shared_units", "judgements")}
        | {"note": each.note}
        for one in agreements
        for each in one.agreement.coefficients
    ]
    return Table("Agreement between raters", _AGREEMENT, rows)


def published(metric: str, criterion: str) -> str:
    """Return the value that a paper published for a metric and criterion.

    The value comes with its source. "": no paper published a value.
    """
    if (metric, criterion) not in PUBLISHED_RATINGS:
        return ""
    mean, sd = PUBLISHED_RATINGS[metric, criterion]
    return f"{metric}: {mean:.2f} ({sd:.2f})"


_NO_PICTURE = Column("no picture", ("no_picture_rate",), "share")
_RATINGS = (
    text("metric", "metric"),
    text("criterion", "criterion"),
    text("scale", "scale"),
    count("n", "n"),
    number("mean", "mean"),
    number("sd", "sd"),
    SHOWN_INTERVAL,
    Column("abstained", ("abstain_rate",), "share"),
    _NO_PICTURE,
    text("published mean (sd)", "published", brief=False),
    text("note", "remark"),
)
_TESTS = (
    text("criterion", "criterion"),
    Column("metrics", ("metric_a", "metric_b"), "difference"),
    count("items", "n_items"),
    number("difference", "mean_difference"),
    number("statistic", "statistic", brief=False),
    number("p", "p"),
    number("p (Holm)", "p_holm"),
    text("note", "note"),
)
_DISTRIBUTION = (
    text("metric", "metric"),
    text("criterion", "criterion"),
    count("point", "point"),
    count("given", "count"),
    SHARE,
)
_AGREEMENT = (
    text("criterion", "criterion"),
    text("metric", "metric"),
    text("coefficient", "name"),
    number("value", "value"),
    SHOWN_INTERVAL,
    number("by chance alone", "chance"),
    count("raters", "raters"),
    count("shared items", "shared_units"),
    text("note", "note"),
)
FLOW = (text("step", "step"), count("participants", "participants"), text("reasons", "why"))
RATERS = (
    text("rater", "rater"),
    count("items", "items"),
    count("answers", "n"),
    text("flags", "flagged"),
    text("excluded", "excluded"),
    number("minutes", "minutes", 1, brief=False),
    number("seconds per item (median)", "seconds", 1),
    number("seconds per 100 words (median)", "word_seconds", 1, undefined="–"),
    count("longest run", "longest_run"),
    number("r with others", "agreement", 2, undefined="–"),
    text("gold right", "gold_text"),
    Column("abstained", ("abstain_rate",), "share"),
    text("note", "note"),
)
_REPORTED = (
    text("item", "item"),
    text("caption", "caption"),
    text("rater", "code"),
    text("reason", "reason"),
    text("words", "words"),
    text("skipped", "skipped"),
)
ANSWERED = (
    count("place", "place"),
    text("item", "item"),
    text("caption", "caption"),
    text("metric", "metric"),
    text("criterion", "criterion"),
    count("rating", "rating"),
    number("seconds", "seconds", 1),
    text("excluded", "left_out"),
    text("note", "note"),
)


def left_out_table(every: "pd.DataFrame") -> Table[Any]:
    """Return a study's excluded ratings, one row for each rater. every: all ratings of the study."""
    reasons: dict[str, dict[str, int]] = {}  # key: rater; value: number of excluded answers by reason
    for (rater, why), times in sorted(Counter(zip(every["rater"], every["left_out"], strict=True)).items()):
        if why:
            reasons.setdefault(rater, {})[why] = times
    rows = [
        {
            "rater": rater,
            "why": next(iter(of)) if len(of) == 1 else ", ".join(f"{why}: {times}" for why, times in of.items()),
            "ratings": sum(of.values()),
        }
        for rater, of in reasons.items()
    ]
    columns = (text("rater", "rater"), text("why", "why"), count("ratings", "ratings"))
    return Table("Ratings that this report excludes", columns, rows)


def reports_table(reports: Iterable[ReportedItem]) -> Table[Any]:
    """Return a table of raters' reports on items."""
    rows = [
        asdict(one) | {"reason": one.reason.replace("_", " "), "skipped": "yes" if one.skipped else ""}
        for one in reports
    ]
    return Table("Items that raters reported", _REPORTED, rows)
