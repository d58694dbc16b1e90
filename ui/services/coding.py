"""Coded errors as tables: how often each code was given, by whom, and how far coders agree."""

from dataclasses import asdict, dataclass

from core.analysis.error_coding import CodeCount, CodedSet, CoderAgreement, code_counts, cohens_kappa
from ui.services.tables import Column, Table, count, number, text


@dataclass(frozen=True, slots=True)
class CodedCount(CodeCount):
    """How often a code was given, over all coders and by each."""

    by_coder: dict[str, int]


@dataclass(frozen=True, slots=True)
class Coded:
    """A coded set, counted."""

    codings: list[tuple[str, str, str]]  # key of the sample, coder, code
    counts: Table[CodedCount]
    kappas: Table[CoderAgreement]


def coded_tables(coded: CodedSet) -> Coded:
    """Return a coded set with its counts over all coders and by each, and kappa between every two of them."""
    coders = sorted({coding.coder for coding in coded.codings})
    by_coder = {coder: {count.code: count.count for count in code_counts(coded, coder)} for coder in coders}
    counts = [
        CodedCount(**asdict(one), by_coder={coder: by_coder[coder][one.code] for coder in coders})
        for one in code_counts(coded)
    ]
    columns = (
        text("code", "label"),
        *(count(coder, "by_coder", coder) for coder in coders),
        count("all", "count"),
        Column("share", ("share",), "share"),
        count("published (of 100)", "published", undefined=""),
    )
    return Coded(
        codings=[(coding.sample, coding.coder, coding.code) for coding in coded.codings],
        counts=Table("Counts of codes", columns, counts),
        kappas=Table("Agreement between coders", _KAPPAS, list(cohens_kappa(coded.codings))),
    )


_KAPPAS = (
    Column("coders", ("first", "second"), "both"),
    count("samples of both", "n"),
    number("exact", "exact"),
    number("Cohen’s κ", "kappa"),
    text("note", "note"),
)
