import json
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.errors import NoScore
from core.score_reading.smoothing import smooth, smoothed_decimals, smoothed_units

Vector = NDArray[np.float64]


@pytest.fixture(scope="module")
def golden(shared_dir: Path) -> Path:
    return shared_dir / "golden" / "fleur"


def certain(digit: str) -> Vector:
    """All probability on one digit; none on any digit for other tokens."""
    return np.array([1.0 if str(i) == digit else 0.0 for i in range(10)])


def spread(digit: int, share: float, other: int) -> Vector:
    probabilities = np.zeros(10)
    probabilities[digit], probabilities[other] = share, 1 - share
    return probabilities


def says(answer: str) -> tuple[list[str], list[Vector]]:
    """An answer one character a token, every digit certain."""
    return list(answer), [certain(character) for character in answer]


def test_a_hand_worked_score() -> None:
    pieces = ["", "0", ".", "8", "5", ""]
    digits = [certain(""), certain("0"), certain(""), spread(8, 0.6, 9), spread(5, 0.5, 0), certain("")]
    result = smooth(pieces, digits)
    assert result.value == pytest.approx(0.1 * (0.6 * 8 + 0.4 * 9) + 0.01 * 0.5 * 5)
    assert result.raw == 0.85
    assert result.components["p"] == (0, 0, 0, 0, 0, 0, 0, 0, 0.6, 0.4)
    assert result.components["p_mass"] == 1.0


def test_a_score_with_one_decimal_has_no_second_distribution() -> None:
    for answer in ("0.8", "0.80"):
        components = smooth(*says(answer)).components
        assert "q" not in components and "q_mass" not in components


def test_a_bare_zero_is_kept_raw_and_flagged() -> None:
    pieces, digits = ["0"], [spread(0, 0.5, 9)]
    result = smooth(pieces, digits)
    assert (result.value, result.components["no_decimal"]) == (0.0, 1.0)


def test_a_raw_one_is_smoothed_at_the_units() -> None:
    pieces, digits = says("1.0")
    digits[0], digits[2] = spread(1, 0.7, 0), spread(0, 0.1, 9)
    result = smooth(pieces, digits)
    assert result.value == pytest.approx(0.9 * 0.3 + 0.7)
    assert "units" in result.components and "p" not in result.components


@pytest.mark.parametrize(("answer", "kind"), [("abc", "no_score"), ("-0.2", "out_of_range")])
def test_an_answer_without_a_score_is_an_error_with_the_models_words(answer: str, kind: str) -> None:
    with pytest.raises(NoScore) as error:
        smooth(*says(answer))
    assert error.value.kind == kind
    assert repr(answer) in str(error.value)


def test_a_token_of_two_digits_is_refused() -> None:
    with pytest.raises(NoScore) as error:
        smooth(["0", ".", "85"], [certain("0")] * 3)
    assert error.value.kind == "merged_digits"


def test_the_papers_example_in_float64_and_in_the_published_float16(golden: Path) -> None:
    example = json.loads((golden / "fleur.json").read_text())["appendix_B"]
    p, q = np.array(example["p"]), np.array(example["q"])
    assert smoothed_decimals(p, q) == pytest.approx(0.806172, abs=5e-7)
    assert smoothed_decimals(p, q) == pytest.approx(example["expected_exact"], abs=1e-12)
    assert smoothed_decimals(p, q, half=True) == 0.806640625


@pytest.fixture(scope="module")
def vectors(golden: Path) -> Callable[[str], Vector]:
    """Digit probabilities of a case, [tokens, 10], from its logits."""
    facts = json.loads((golden / "fleur.json").read_text())
    ids = [facts["digit_token_ids"][str(i)] for i in range(10)]
    arrays = np.load(golden / "logits.npz")

    def probabilities(key: str) -> Vector:
        logits = arrays[key].astype(np.float64)
        exponents = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray((exponents / exponents.sum(axis=1, keepdims=True))[:, ids])

    return probabilities


def pieces_of(tokens: list[str]) -> list[str]:
    return ["" if token == "</s>" else token.replace("\u2581", " ") for token in tokens]


def test_golden_answers_are_smoothed_as_expected(golden: Path, vectors: Callable[[str], Vector]) -> None:
    cases = json.loads((golden / "fleur.json").read_text())["cases"]
    for case in cases:
        pieces, expected = pieces_of(case["tokens"]), case["expected"]
        if expected["status"] in ("parse_error", "out_of_range"):
            with pytest.raises(NoScore):
                smooth(pieces, list(vectors(case["key"])))
            continue
        result = smooth(pieces, list(vectors(case["key"])))
        accepted = expected.get("accept", [expected])
        assert any(
            result.raw == pytest.approx(one["raw"]) and result.value == pytest.approx(one["score"], abs=2e-6)
            for one in accepted
        ), case["name"]
        assert ("no_decimal" in result.components) == (expected["status"] == "no_decimal")


def test_golden_well_formed_answers_match_the_published_code(golden: Path, vectors: Callable[[str], Vector]) -> None:
    cases = [c for c in json.loads((golden / "fleur.json").read_text())["cases"] if c["kind"] == "well_formed"]
    assert len(cases) == 11
    for case in cases:
        pieces, digits = pieces_of(case["tokens"]), list(vectors(case["key"]))
        assert smooth(pieces, digits).value == pytest.approx(case["reference_fp32"], abs=2e-6)
        assert smooth(pieces, digits, half=True).value == case["reference_fp16_accumulation"], case["name"]


probabilities = st.lists(st.floats(0, 1), min_size=11, max_size=11).filter(lambda values: sum(values) > 0)


@given(probabilities, probabilities, st.booleans())
def test_a_smoothed_score_stays_in_range(first: list[float], second: list[float], half: bool) -> None:
    p, q = (np.array(values[:10]) / max(math.fsum(values), 1e-9) for values in (first, second))
    assert 0 <= smoothed_decimals(p, q, half) <= 1
    assert 0 <= smoothed_units(p, half) <= 1
