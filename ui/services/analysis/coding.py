"""Count coded errors in tables: codes, coders, and agreement of coders."""

from collections import Counter
from typing import Any

from core.analysis.error_coding import CodedSet, cohens_kappa
from core.statistics.intervals import wilson
from ui.services.tables import Table, interval100, table_of, times100


def coded_tables(coded: CodedSet, metric: str) -> list[Table[Any]]:
    """Return how often codes were given, over all coders and for each coder, and coders' pairwise kappa.

    metric: the label of the metric whose errors were coded.
    """
    coders = sorted({coding.coder for coding in coded.codings})
    samples = len({coding.sample for coding in coded.codings})
    every = Counter(coding.code for coding in coded.codings)
    by_coder = Counter((coding.coder, coding.code) for coding in coded.codings)
    rows = []
    for code in coded.codebook.codes:
        share = every[code.key] / len(coded.codings) if coded.codings else None
        row: dict[str, Any] = {"code": code.label} | {f"by {coder}": by_coder[coder, code.key] for coder in coders}
        row |= {"all": every[code.key], "share, %": times100(share)}
        row["95 % interval of the share, %"] = None if share is None else interval100(wilson(share, samples))
        rows.append(row | {"published (of 100)": code.published})
    title = f"Coded errors of {metric} ({coded.codebook.name}), with Wilson’s intervals over {samples:,} coded samples"
    counts = table_of(title, rows, decimals=1, missing={"published (of 100)": ""})
    kappas = table_of(f"Agreement between coders of {metric}", cohens_kappa(coded.codings))
    return [one for one in (counts, kappas) if one.rows]
