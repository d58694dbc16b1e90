"""Low ratings by error code: counts and shares by hand."""

import pandas as pd

from core.analysis.error_coding import Code, Codebook, CodedSet, Coding
from core.statistics.influence import wilson
from core.studies.results.rating_errors import coded_rating_table

BOOK = Codebook("own", "ours", (Code("a", "Too strict"), Code("b", "Too mild"), Code("c", "Unused")))
LOW = {"factuality": 2, "consistency": 3}


def coded(*codings: tuple[str, str, str]) -> CodedSet:
    return CodedSet(BOOK, tuple(Coding(*one) for one in codings))


def means(criterion: str, **of: float) -> pd.DataFrame:
    rows = [("FLEUR", criterion, sample, mean) for sample, mean in of.items()]
    return pd.DataFrame(rows, columns=["metric", "criterion", "sample", "rating"])


def test_each_used_code_has_its_coded_rated_and_low_samples() -> None:
    codes = coded(("s1", "Ann", "b"), ("s1", "Bob", "a"), ("s2", "Ann", "a"), ("s2", "Bob", "a"), ("s3", "Ann", "a"))
    rows = coded_rating_table(means("factuality", s1=2.0, s2=2.5, s4=1.0), {"FLEUR": codes}, LOW)
    strict, mild = rows
    assert (strict.code, strict.coded, strict.rated, strict.low, strict.share) == ("Too strict", 3, 2, 1, 0.5)
    assert (mild.code, mild.coded, mild.rated, mild.low, mild.share) == ("Too mild", 1, 1, 1, 1.0)
    by_wilson = wilson(0.5, 2)
    assert by_wilson is not None and (strict.ci_low, strict.ci_high) == (by_wilson.low, by_wilson.high)


def test_each_criterion_has_its_own_limit() -> None:
    both = pd.concat([means("factuality", s1=3.0), means("consistency", s1=3.0)])
    rows = coded_rating_table(both, {"FLEUR": coded(("s1", "Ann", "a"))}, LOW)
    assert [(row.criterion, row.low) for row in rows] == [("factuality", 0), ("consistency", 1)]


def test_a_mean_that_only_rounding_lifts_above_the_limit_is_low() -> None:
    (row,) = coded_rating_table(means("factuality", s1=2 + 1e-12), {"FLEUR": coded(("s1", "Ann", "a"))}, LOW)
    assert row.low == 1


def test_a_code_without_rated_explanations_has_no_share() -> None:
    (row,) = coded_rating_table(means("factuality", s1=1.0), {"FLEUR": coded(("s2", "Ann", "a"))}, LOW)
    assert (row.coded, row.rated, row.low, row.share, row.ci_low) == (1, 0, 0, None, None)
