import pytest

from core.studies.results.evidence_agreement import EvidenceAgreement, SentenceVerdict, evidence_agreement


def said(
    sentence: int, rater: str, verdict: str, span: tuple[int, int] = (0, 20), kind: str | None = None
) -> SentenceVerdict:
    """Sentences 1 and 2 are of the first item's explanation, 3 and 4 of the second one's; each has 20 characters."""
    item = (sentence + 1) // 2
    return SentenceVerdict(item, (item, sentence), (item,), rater, verdict, span, 20, kind)


def coefficients(*judged: SentenceVerdict) -> dict[str, EvidenceAgreement]:
    found = evidence_agreement(judged, draws=50)
    assert len(found) == 7
    return {one.name: one for one in found}


TWO_RATERS = (
    *(said(1, "A", "right"), said(1, "B", "right")),
    *(said(2, "A", "wrong", (0, 10), "object"), said(2, "B", "wrong", (5, 15), "object")),
    *(said(3, "A", "wrong", (0, 4), "text"), said(3, "B", "right")),
    *(said(4, "A", "right"), said(4, "B", "right")),
)


def test_alpha_of_verdicts_is_krippendorffs_by_hand() -> None:
    # coincidences: right-right 4, wrong-wrong 2, apart 2 of 8; right 5, wrong 3: 1 - 7 * 2 / (2 * 5 * 3)
    found = coefficients(*TWO_RATERS)["α of verdicts (nominal)"]
    assert (found.value, found.chance, found.n) == (pytest.approx(1 - 14 / 30), 0.0, 4)
    assert found.ci_low is not None and found.ci_high is not None and found.ci_low <= found.ci_high


def test_the_same_verdict_is_counted_in_pairs_by_hand() -> None:
    # three of four sentences; of 8 verdicts 5 are right and 3 wrong
    found = coefficients(*TWO_RATERS)["same verdict, pairwise"]
    assert (found.value, found.chance, found.n) == (pytest.approx(3 / 4), pytest.approx((25 + 9) / 64), 4)


def test_alpha_says_why_it_is_undefined() -> None:
    found = coefficients(said(1, "A", "right"), said(1, "B", "right"), said(3, "A", "right"), said(3, "B", "right"))
    alpha, same = found["α of verdicts (nominal)"], found["same verdict, pairwise"]
    assert (alpha.value, alpha.n, alpha.note) == (None, 2, "no variation, because all answers are the same")
    assert (same.value, same.chance) == (1.0, 1.0)
    assert coefficients(said(1, "A", "right"))["same verdict, pairwise"].note.startswith(
        "no two raters gave judgements that this coefficient compares"
    )


def test_specific_agreement_on_wrong_by_hand() -> None:
    # three wrong verdicts, two of which agree; 3 of 8 verdicts are wrong
    found = coefficients(*TWO_RATERS)["specific agreement on “wrong”"]
    assert (found.value, found.chance, found.n) == (pytest.approx(2 / 3), pytest.approx(3 / 8), 3)


def test_kappa_of_any_wrong_sentence_by_hand() -> None:
    # A finds something wrong in both explanations, B in the first: observed 1/2, by chance 1 * 1/2 + 0 * 1/2
    found = coefficients(*TWO_RATERS)["κ of “the explanation has a wrong sentence”"]
    assert (found.value, found.n) == (pytest.approx(0.0), 2)
    # a third explanation in which neither finds anything: observed 2/3, by chance 2/3 * 1/3 + 1/3 * 2/3
    more = coefficients(*TWO_RATERS, said(5, "A", "right"), said(5, "B", "beside"))
    assert more["κ of “the explanation has a wrong sentence”"].value == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))


def test_words_and_matched_spans_by_hand() -> None:
    # 0-10 and 5-15 of 20 characters share 5: F1 2 * 5 / 20; laid anywhere they share 5 in the mean as well
    found = coefficients(*TWO_RATERS)
    words, spans = found["words, pairwise F1"], found["marked words that overlap (IoU ≥ 0.5)"]
    assert (words.value, words.chance, words.n) == (pytest.approx(0.5), pytest.approx(0.5), 1)
    # IoU 5 / 15; of 11 * 11 ways to lay two spans of 10, those at most 3 apart share 7 or more: 11 + 2 * (10 + 9 + 8)
    assert (spans.value, spans.chance, spans.n) == (0.0, pytest.approx(65 / 121), 1)
    assert found["same kind of error for overlapping marked words"].value is None


def test_kinds_are_compared_on_matched_spans_alone() -> None:
    found = coefficients(
        *(said(1, "A", "wrong", (0, 10), "object"), said(1, "B", "wrong", (0, 9), "object")),
        *(said(3, "A", "wrong", (0, 10), "object"), said(3, "B", "wrong", (1, 10), "attribute")),
        *(said(4, "A", "wrong", (0, 5), "text"), said(4, "B", "wrong", (10, 15), "number")),
    )
    assert found["marked words that overlap (IoU ≥ 0.5)"].value == pytest.approx(2 / 3)
    kinds = found["same kind of error for overlapping marked words"]
    # one of two; object 3 of 4, attribute 1 of 4: 9/16 + 1/16
    assert (kinds.value, kinds.chance, kinds.n) == (pytest.approx(0.5), pytest.approx(10 / 16), 2)


def test_three_raters_are_compared_pair_by_pair() -> None:
    found = coefficients(
        *(said(1, rater, verdict) for rater, verdict in (("A", "wrong"), ("B", "wrong"), ("C", "right")))
    )
    # of six verdicts in three pairs four are wrong, and one pair agrees: 2 * 1 / 4
    assert found["specific agreement on “wrong”"].value == pytest.approx(0.5)
    assert found["α of verdicts (nominal)"].note == "no interval, because there is only one item"


def test_one_rater_or_none_agrees_with_nobody() -> None:
    for judged in ((), (said(1, "A", "wrong"),)):
        assert {one.value for one in evidence_agreement(judged, draws=5)} == {None}
