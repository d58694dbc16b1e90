"""The report's part on a study's data set: agreement with people, plots, largest errors, codes, every slice."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import combinations
from typing import Any

from core.analysis.error_coding import CodedSet, code_counts, cohens_kappa
from core.analysis.score_table import HumanGroups, MetricColumn, ScoreTable, human_groups
from core.errors import BadSetting
from core.progress import Progress
from ui.report.figures import Axis, density_svg, levels_svg
from ui.report.html import Column, Row, field, figures, heading, interval, paragraph, percent, table
from ui.services.analysis import Analyst
from ui.services.metric_agreement import AgreementDesk

ERRORS = 25  # largest errors listed a metric
_QUANTITIES = {"tau_b": "τ-b ", "tau_c": "τ-c ", "accuracy": ""}


def dataset_parts(analyst: Analyst, dataset: str, progress: Progress) -> Iterator[str]:
    """Yield the parts of the page, the whole data set first, then its slices."""
    desk = AgreementDesk(analyst)
    slices = [one.name for one in analyst.workplace.repository.slices.all(dataset)]
    yield heading("Agreement of metrics with human judgement")
    for number, name in enumerate((None, *slices)):
        progress("Agreement with people", number, 1 + len(slices))
        if name is not None:
            yield heading(f"Slice: {name}")
        yield from _figures(analyst.table(dataset, name), _groups(analyst, dataset, name))
        yield from _agreement(desk, dataset, list(analyst.table(dataset).metrics), name)
    progress("Agreement with people", 1 + len(slices), 1 + len(slices))
    for column in analyst.table(dataset).metrics.values():
        yield _errors(analyst, dataset, column)
    yield from _codes(analyst, dataset)


def _figures(part: ScoreTable, groups: HumanGroups) -> Iterator[str]:
    """Yield score against human, distributions per level, raw against smoothed, metric against metric."""
    columns = list(part.metrics.values())
    human = Axis("human judgement, rescaled to 0–1", part.human, (0.0, 1.0))
    of = {column.name: Axis(column.label, column.value, column.scale) for column in columns}
    raw = [Axis(f"{c.label} before smoothing", c.raw, c.scale) for c in columns if c.has_raw]
    smoothed = [of[column.name] for column in columns if column.has_raw]
    yield figures([density_svg(axis, human) for axis in of.values()])
    yield figures([levels_svg(axis, groups) for axis in of.values()])
    yield figures([density_svg(before, after) for before, after in zip(raw, smoothed, strict=True)])
    yield figures([density_svg(first, second) for first, second in combinations(of.values(), 2)])


def _groups(analyst: Analyst, dataset: str, slice_name: str | None) -> HumanGroups:
    """Return the groups of the whole data set, so that slices can be compared; of a slice those of its samples."""
    whole = analyst.table(dataset)
    groups = human_groups(whole.human, whole.levels)
    return replace(groups, of=groups.of[analyst.members(dataset, slice_name).mask]) if slice_name else groups


def _agreement(desk: AgreementDesk, dataset: str, metrics: Sequence[str], slice_name: str | None) -> Iterator[str]:
    try:
        found = asdict(desk.correlations(dataset, metrics, None, slice_name))
    except BadSetting as error:
        yield paragraph(str(error))
        return
    if found["taus"]:
        yield table(found["taus"], _TAUS, "")
        yield paragraph(
            f"Kendall’s τ × 100; the interval is that of τ-{found['taus'][0]['convention']}, bootstrapped over images. "
            "Published figures are the papers’, not recomputed.",
            "quiet",
        )
    if found["accuracies"]:
        yield table(found["accuracies"], _ACCURACIES, "")
    if found["differences"]:
        yield heading("Which metric agrees better (paired bootstrap)", 3) + table(
            found["differences"], _DIFFERENCES, ""
        )


def _published(row: Row) -> str:
    numbers: Iterable[dict[str, Any]] = row["published"]
    return "; ".join(f"{_printed(n)} ({n['paper']}, {n['table']})" for n in numbers)


def _printed(number: dict[str, Any]) -> str:
    name = f"{number['category']} " if number["category"] else _QUANTITIES[number["quantity"]]
    return f"{name}{number['value']}"


_TAUS: tuple[Column, ...] = (
    ("metric", field("label")),
    ("variant", field("variant")),
    ("n", field("n")),
    ("τ-b", field("tau_b")),
    ("τ-c", field("tau_c")),
    ("95 % interval", interval),
    ("tied pairs", field("ties")),
    ("published", _published),
    ("note", field("note")),
)
_ACCURACIES: tuple[Column, ...] = (
    ("category", field("category")),
    ("metric", field("label")),
    ("variant", field("variant")),
    ("pairs", field("n")),
    ("accuracy", field("accuracy")),
    ("ties", field("ties")),
    ("half credit for ties", field("accuracy_half_credit")),
    ("published", _published),
    ("note", field("note")),
)
_DIFFERENCES: tuple[Column, ...] = (
    ("metrics", lambda row: f"{row['first_label']} − {row['second_label']} (τ-{row['tau']})"),
    ("n", field("n")),
    ("difference", field("difference")),
    ("95 % interval", interval),
    ("p", field("p")),
    ("note", field("note")),
)
_ERRORS: tuple[Column, ...] = (
    ("sample", field("key")),
    ("caption", field("caption")),
    ("human", field("human")),
    ("metric", field("value")),
    ("metric − human", field("error")),
)


def _errors(analyst: Analyst, dataset: str, column: MetricColumn) -> str:
    found = analyst.errors(dataset, column.name, 0, ERRORS)
    shown = f"The {len(found.rows)} largest of {found.total:,}; both scores rescaled to 0–1." if found.rows else ""
    listed = table([asdict(row) for row in found.rows], _ERRORS, "No sample has both a score and a human judgement.")
    return heading(f"Largest errors of {column.label}") + (paragraph(shown, "quiet") if shown else "") + listed


def _codes(analyst: Analyst, dataset: str) -> Iterator[str]:
    codings = analyst.workplace.repository.codings
    books = codings.codebooks()
    for column in analyst.table(dataset).metrics.values():
        for book in books:
            coded = codings.coded(dataset, column.name, book.name)
            if coded.codings:
                yield heading(f"Coded errors of {column.label} ({book.name})") + _coded(coded)


def _coded(coded: CodedSet) -> str:
    coders = sorted({coding.coder for coding in coded.codings})
    by_coder = {coder: [count.count for count in code_counts(coded, coder)] for coder in coders}
    rows = [
        {"code": c.label, "count": c.count, "share": c.share, "published": c.published, "place": place}
        for place, c in enumerate(code_counts(coded))
    ]
    columns: tuple[Column, ...] = (
        ("code", field("code")),
        *((coder, _count_of(by_coder[coder])) for coder in coders),
        ("all", field("count")),
        ("share", percent("share")),
        ("published (of 100)", field("published", "")),
    )
    kappas = [
        {"coders": f"{k.first}, {k.second}", "n": k.n, "exact": k.exact, "kappa": k.kappa, "note": k.note}
        for k in cohens_kappa(coded.codings)
    ]
    agreement: tuple[Column, ...] = (
        ("coders", field("coders")),
        ("samples of both", field("n")),
        ("exact", field("exact")),
        ("Cohen’s κ", field("kappa")),
        ("note", field("note")),
    )
    return table(rows, columns, "") + table(kappas, agreement, "One coder, so there is no κ.")


def _count_of(counts: list[int]) -> Any:
    return lambda row: counts[row["place"]]
