"""Count coded errors in tables: codes, coders, and agreement of coders."""

from typing import Any

from core.analysis.error_coding import CodedSet, code_counts, cohens_kappa
from core.statistics.proportions import wilson
from ui.services.tables import Column, Table, count, ends, interval, number, text, times100


def coded_tables(coded: CodedSet, metric: str) -> list[Table[Any]]:
    """Return how often codes were given, over all coders and for each coder, and coders' pairwise kappa.

    metric: the label of the metric whose errors were coded.
    """
    coders = sorted({coding.coder for coding in coded.codings})
    by_coder = {coder: {one.code: one.count for one in code_counts(coded, coder)} for coder in coders}
    samples = len({coding.sample for coding in coded.codings})
    counts = []
    for one in code_counts(coded):
        row: dict[str, Any] = {
            "code": one.label,
            "count": one.count,
            "share": times100(one.share),
            "published": one.published,
        }
        found = None if one.share is None else wilson(one.share, samples)
        counts.append(row | ends("share", found, 100) | {f"by {coder}": by_coder[coder][one.code] for coder in coders})
    columns = (
        text("code", "code"),
        *(count(coder, f"by {coder}") for coder in coders),
        count("all", "count"),
        number("share, %", "share", 1),
        interval("95 % interval of the share, %", "share", 1),
        count("published (of 100)", "published", undefined=""),
    )
    title = f"Coded errors of {metric} ({coded.codebook.name}), with Wilson’s intervals over {samples:,} coded samples"
    kappas = [
        {
            "first": one.first,
            "second": one.second,
            "samples": one.n,
            "exact": one.exact,
            "kappa": one.kappa,
            "note": one.note,
        }
        for one in cohens_kappa(coded.codings)
    ]
    return [Table(title, columns, counts), Table(f"Agreement between coders of {metric}", _KAPPAS, kappas)]


_KAPPAS = (
    Column("coders", ("first", "second"), "both"),
    count("samples of both", "samples"),
    number("exact", "exact"),
    number("Cohen’s κ", "kappa"),
    text("note", "note"),
)
