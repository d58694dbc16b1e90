"""The report in one file: HTML that stands alone, with everything the Analyse page shows of a study's data set."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from core.coding import CodedSet, code_counts, cohens_kappa
from core.errors import BadSetting
from storage.values import Study
from ui.analysing import Analyst
from ui.figures import density_svg, means_svg
from ui.services import Workplace
from ui.study_results import study_results

ERRORS = 25  # largest errors listed a metric
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:1100px;margin:24px auto;padding:0 16px;color:#1b1f24;"
    "background:#fff}table{border-collapse:collapse;margin:8px 0 20px;display:block;overflow-x:auto}"
    "th,td{text-align:left;padding:4px 16px 4px 0;border-bottom:1px solid #d0d7de;font-size:15px;"
    "font-variant-numeric:tabular-nums}th{color:#57606a;font-size:13px}"
    "svg{max-width:100%;height:auto;margin:8px 16px 8px 0}"
    "@media(prefers-color-scheme:dark){body{background:#14171b;color:#e8ebee}th{color:#a3adb8}}"
)


def report_html(workplace: Workplace, study: Study) -> str:
    """Return the report of a study, its data set's correlations, largest errors, codes and slices included."""
    analyst = Analyst(workplace)
    title = escape(f"Report: {study.name}")
    content = "\n".join([*_study_parts(study_results(workplace, study)), *_dataset_parts(analyst, study)])
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    body = f"<body><h1>{title}</h1>\n{content}\n</body>"
    return f'<!doctype html>\n<html lang="en"><head>{head}<style>{_STYLE}</style></head>{body}</html>\n'


def _study_parts(found: dict[str, Any]) -> Iterator[str]:
    yield _paragraph(f"Data set {found['dataset']}: {found['ratings']:,} ratings by {found['raters']} raters.")
    if found["notice"]:
        yield _paragraph(found["notice"])
    if not found["ratings"]:
        yield _paragraph("Nobody has rated yet.")
        return
    yield "<h2>Ratings</h2>" + means_svg(found["rows"])
    yield _table(found["rows"], ("metric", "criterion", "n", "mean", "sd", "ci_low", "ci_high", "abstain_rate"))
    yield "<h2>Differences between metrics</h2>"
    columns = ("criterion", "metric_a", "metric_b", "n_items", "mean_difference", "statistic", "p", "p_holm", "note")
    yield _table(found["tests"], columns, "One metric only, so nothing to compare.")
    yield "<h2>Agreement between raters</h2>"
    rows = [one | c for one in found["agreement"] for c in one["coefficients"]]
    yield _table(rows, ("criterion", "metric", "name", "value", "ci_low", "ci_high", "chance", "note"))
    yield "<h2>Ratings beside score errors</h2>" + _paragraph(found["rating_errors_test"])
    wanted = ("metric", "criterion", "n", "n_low", "error_low", "error_other", "tau_b", "p", "p_holm", "note")
    yield _table(found["rating_errors"], wanted, "No rated sample has a human judgement of its caption.")


def _dataset_parts(analyst: Analyst, study: Study) -> Iterator[str]:
    table = analyst.table(study.dataset)
    metrics = list(table.metrics)
    yield "<h2>Agreement of metrics with human judgement</h2>" + _agreement(analyst, study.dataset, None)
    yield "".join(density_svg(c.value, table.human, c.name, c.scale) for c in table.metrics.values())
    for one in analyst.workplace.repository.slices.all(study.dataset):
        yield f"<h3>Slice {escape(one.name)}</h3>" + _agreement(analyst, study.dataset, one.name)
    for metric in metrics:
        page = analyst.errors(study.dataset, metric, 0, ERRORS)
        yield f"<h2>Largest errors of {escape(metric)}</h2>"
        yield _table(page.rows, ("key", "caption", "human", "value", "error"), "No sample was judged by people.")
    codings = analyst.workplace.repository.codings
    for metric in metrics:
        for book in codings.codebooks():
            yield _coded(codings.coded(study.dataset, metric, book.name), metric)


def _agreement(analyst: Analyst, dataset: str, slice_name: str | None) -> str:
    try:
        found = analyst.correlations(dataset, list(analyst.table(dataset).metrics), None, slice_name)
    except BadSetting as error:
        return _paragraph(str(error))
    rows = [row | {"published": _published(row["published"])} for row in found["taus"] + found["accuracies"]]
    columns = (
        "metric",
        "variant",
        "category",
        "n",
        "tau_b",
        "tau_c",
        "accuracy",
        "ties",
        "ci_low",
        "ci_high",
        "published",
    )
    return _table(rows, [name for name in columns if any(name in row for row in rows)])


def _published(numbers: Iterable[dict[str, Any]]) -> str:
    return "; ".join(f"{n['quantity']} {n['value']} ({n['paper']})" for n in numbers)


def _coded(coded: CodedSet, metric: str) -> str:
    if not coded.codings:
        return ""
    rows = [{"code": c.label, "count": c.count, "share": c.share, "published": c.published} for c in code_counts(coded)]
    kappas = [
        {"coders": f"{k.first}, {k.second}", "n": k.n, "kappa": k.kappa, "note": k.note}
        for k in cohens_kappa(coded.codings)
    ]
    heading = f"<h2>Coded errors of {escape(metric)} ({escape(coded.codebook.name)})</h2>"
    return (
        heading
        + _table(rows, ("code", "count", "share", "published"))
        + _table(kappas, ("coders", "n", "kappa", "note"), "One coder.")
    )


def _table(rows: Sequence[dict[str, Any]], columns: Sequence[str], otherwise: str = "Nothing to show.") -> str:
    if not rows:
        return _paragraph(otherwise)
    head = "".join(f'<th scope="col">{escape(name.replace("_", " "))}</th>' for name in columns)
    body = "".join("<tr>" + "".join(_cell(row.get(name)) for name in columns) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f'<td title="{value!r}">{value:.3f}</td>'
    return f"<td>{'–' if value is None else escape(str(value))}</td>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"
