"""Count coded errors in tables: codes, coders, and agreement of coders."""

from dataclasses import dataclass

from core.analysis.error_coding import CodeCount, CodedSet, CoderAgreement, code_counts, cohens_kappa
from core.statistics.proportions import wilson
from ui.services.tables import INTERVAL, SHARE, Column, Table, count, number, text


@dataclass(frozen=True, slots=True)
class CodedCount(CodeCount):
    """The frequency of a code, over all coders and by coder."""

    by_coder: dict[str, int]
    # 95 % interval of the share in percent: Wilson's interval over coded samples. If several coders code a sample,
    # their codes are one observation.
    ci_low: float | None
    ci_high: float | None


@dataclass(frozen=True, slots=True)
class Coded:
    """The error codes that coders gave, how often each code was given, and how well coders agree."""

    codings: list[tuple[str, str, str]]  # (key of the sample, coder, code) of each coding
    counts: Table[CodedCount]
    kappas: Table[CoderAgreement]


def coded_tables(coded: CodedSet) -> Coded:
    """Return how often codes were given, and coders' pairwise kappa.

    Codes are counted over all coders, and for each coder.
    """
    coders = sorted({coding.coder for coding in coded.codings})
    by_coder = {coder: {count.code: count.count for count in code_counts(coded, coder)} for coder in coders}
    samples = len({coding.sample for coding in coded.codings})
    counts = []
    for one in code_counts(coded):
        interval = None if one.share is None else wilson(one.share, samples)
        ends = (None, None) if interval is None else (100 * interval.low, 100 * interval.high)
        fields = (one.code, one.label, one.count, one.share, one.published)
        counts.append(CodedCount(*fields, {coder: by_coder[coder][one.code] for coder in coders}, *ends))
    columns = (
        text("code", "label"),
        *(count(coder, "by_coder", coder) for coder in coders),
        count("all", "count"),
        SHARE,
        Column("95 % interval, %", INTERVAL, "interval", 1),
        count("published (of 100)", "published", undefined=""),
    )
    return Coded(
        codings=[(coding.sample, coding.coder, coding.code) for coding in coded.codings],
        counts=Table(
            f"Number of errors per code, with Wilson intervals over {samples:,} coded samples", columns, counts
        ),
        kappas=Table("Agreement between coders", _KAPPAS, list(cohens_kappa(coded.codings))),
    )


_KAPPAS = (
    Column("coders", ("first", "second"), "both"),
    count("samples of both", "n"),
    number("exact", "exact"),
    number("Cohen’s κ", "kappa"),
    text("note", "note"),
)
