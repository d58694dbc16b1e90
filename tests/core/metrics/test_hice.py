import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.captions.reading.phrases import CaptionPhrase
from core.errors import BadImage, BadMask, BadSetting, NotFound
from core.metrics.hice import (
    HICE,
    RefHICE,
    choices,
    image_consistency,
    similarity,
    text_consistency,
    value,
)
from core.models.hice import HiceParts
from core.regions import masks
from core.types import EvaluationError, ImageRef, ImageRegion, Outcome, Sample, Score
from tests.core.fakes import LetterEncoder

PARTS = ("gITC", "lITC", "precision", "recall")
REFERENCE_PARTS = {"gTTC": "gTTC", "lTTC": "lTTC", "ref_P": "reference_precision", "ref_R": "reference_recall"}


# -- golden vectors --


GOLDEN = (
    "typical many_regions only_full_mask single_phrase one_by_one no_reference no_phrases_caption_fallback "
    "all_image_text_negative caption_opposite_of_image mixed_signs orthogonal_zero reference_opposite "
    "duplicate_regions_tie onehot_hand_checkable"
).split()


@pytest.fixture(scope="session")
def golden(shared_dir: Path) -> tuple[dict[str, Any], Any]:
    folder = shared_dir / "golden" / "hice"
    cases = {case["name"]: case for case in json.loads((folder / "hice.json").read_text())["cases"]}
    return cases, np.load(folder / "inputs.npz")


@pytest.mark.parametrize("name", GOLDEN)
def test_the_golden_scores_hold(golden: tuple[dict[str, Any], Any], name: str) -> None:
    case, arrays = golden[0][name], golden[1]
    regions, caption = arrays[f"{name}/regions"], arrays[f"{name}/caption"][None]
    phrases = arrays[f"{name}/phrases"] if case["M"] else caption
    expected = case["expected"]
    assert case["full_mask_index"] == len(regions) - 1

    matrix = similarity(regions, phrases, 2.5)
    found = image_consistency(matrix, regions[-1:], caption, 2.5)
    assert np.abs(matrix - arrays[f"{name}/S"]).max() <= 1e-9
    theirs = [expected[part] for part in ("gITC", "lITC", "P", "R")]
    assert [found[part] for part in PARTS] == pytest.approx(theirs, abs=1e-9)
    assert value(found) == pytest.approx(expected["HICE"], abs=1e-9)
    assert matrix.max(axis=0).tolist() == pytest.approx(expected["phrase_support"], abs=1e-9)
    assert (matrix.max(axis=0) >= 0.5).tolist() == expected["phrase_correct"]
    assert (matrix.max(axis=1) >= 0.5).tolist() == expected["region_mentioned"]
    assert all(n in tied for n, tied in zip(matrix.argmax(axis=0), expected["phrase_best_region_tied"], strict=True))
    assert all(m in tied for m, tied in zip(matrix.argmax(axis=1), expected["region_best_phrase_tied"], strict=True))

    if case["refs"]:
        found |= text_consistency(arrays[f"{name}/refs"], arrays[f"{name}/ref_phrases"], caption, phrases)
        for name_there, name_here in REFERENCE_PARTS.items():
            assert found[name_here] == pytest.approx(expected[name_there], abs=1e-9)
        assert value(found) == pytest.approx(expected["RefHICE"], abs=1e-9)


# -- the metric with fakes --

SIZE = (4, 6)
LEFT, EMPTY = np.zeros(SIZE, bool), np.zeros(SIZE, bool)
LEFT[:, :3] = True
IMAGE = ImageRef("dog.jpg", sha256="0" * 64, width=6, height=4)


@dataclass
class FakePhrases:
    """Every " and " joins two relations; a single word is an entity; "!" has no phrase at all."""

    name: str = "fake-phrases"

    def phrases(self, captions: Sequence[str]) -> list[tuple[CaptionPhrase, ...]]:
        return [tuple(self._split(caption)) for caption in captions]

    def _split(self, caption: str) -> list[CaptionPhrase]:
        found = []
        for part in caption.split(" and ") if caption != "!" else []:
            start = caption.index(part)
            kind = "relation" if " " in part else "entity"
            found.append(CaptionPhrase(part, (start, start + len(part)), kind))  # type: ignore[arg-type]
        return found


@dataclass
class FakeRegions:
    name: str = "fake-regions"
    error: Exception | None = None

    def regions(self, image: ImageRef) -> tuple[ImageRegion, ...]:
        if self.error:
            raise self.error
        found = [ImageRegion(masks.encode(mask), SIZE, "dog") for mask in (LEFT, EMPTY)]
        return (*found, ImageRegion(masks.full(SIZE), SIZE, is_full=True))


def sample(candidate: str, *references: str) -> Sample:
    return Sample("1", IMAGE, candidate, references)


def metric(kind: type[HICE] = HICE, error: Exception | None = None, **options: str) -> HICE:
    return kind(HiceParts(FakePhrases(), FakeRegions(error=error), LetterEncoder()), options)


def one(outcomes: Sequence[Outcome]) -> Score:
    (outcome,) = outcomes
    assert isinstance(outcome, Score), outcome
    return outcome


def test_every_phrase_and_every_region_is_explained() -> None:
    score = one(list(metric().score([sample("a dog sits and a cat sleeps")])))
    assert [phrase.text for phrase in score.explanation.phrases] == ["a dog sits", "a cat sleeps"]
    assert [phrase.span for phrase in score.explanation.phrases] == [(0, 10), (15, 27)]
    assert [region.is_full for region in score.explanation.regions] == [False, True]
    assert {*PARTS, "phrase_fallback"} == set(score.components)
    assert 0 < score.value <= score.scale[1] == 1.0
    assert len(one(list(metric(min_area="0.6").score([sample("a dog")]))).explanation.regions) == 1


@given(st.integers(2, 40), st.integers(1, 9), st.integers(0, 10_000))
def test_equal_features_are_equally_like_whatever_stands_around_them(rows: int, columns: int, seed: int) -> None:
    draws = np.random.default_rng(seed)
    ours, theirs = draws.normal(size=(rows, 384)), draws.normal(size=(columns, 384))
    ours[-1] = ours[0]
    ours, theirs = (a / np.linalg.norm(a, axis=1, keepdims=True) for a in (ours, theirs))
    matrix = similarity(ours, theirs)
    assert np.array_equal(matrix[0], matrix[-1])
    assert matrix == pytest.approx(np.clip([[sum(a * b) for b in theirs] for a in ours], 0, 1), abs=1e-12)


@pytest.mark.parametrize(
    ("caption", "phrases", "fallback"),
    [
        ("a dog and a cat and A dog", ["a dog", "a cat"], 0.0),  # a phrase that occurs twice counts once
        ("dog and cat", ["dog", "cat"], 1.0),  # without triplets, the entities
        ("!", ["!"], 1.0),  # without any phrase, the caption
    ],
)
def test_the_phrases_that_are_compared(caption: str, phrases: list[str], fallback: float) -> None:
    score = one(list(metric().score([sample(caption)])))
    assert [phrase.text for phrase in score.explanation.phrases] == phrases
    assert score.components["phrase_fallback"] == fallback


def test_references_add_their_own_components() -> None:
    score = one(list(metric(RefHICE, w="2.5").score([sample("a dog", "a cat and a dog", "a dog")])))
    assert {"lTTC", "reference_precision", "reference_recall"} <= set(score.components)
    assert score.components["gTTC"] == pytest.approx(1.0)
    assert score.components["lTTC"] < 1.0  # type: ignore[operator]
    assert score.scale == (0.0, pytest.approx(4 / (2 / 2.5 + 2)))


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (BadImage("broken"), "bad_image"),
        (BadMask("a mask", "none"), "bad_regions"),
        (NotFound("no masks"), "missing_regions"),
    ],
)
def test_a_picture_that_cannot_be_read_is_an_error_and_the_next_sample_is_scored(error: Exception, kind: str) -> None:
    outcomes = list(metric(error=error).score([sample("a dog"), sample("a cat")]))
    assert [outcome.kind for outcome in outcomes if isinstance(outcome, EvaluationError)] == [kind, kind]


def test_the_signature_names_every_choice() -> None:
    usual = (
        "encoder:letters", "phrases:fake-phrases", "regions:fake-regions", "w:1.0", "cut:0.5", "negatives:clipped",
        "full:in-set", "fallback:entities,caption", "entities:needed", "gttc:max", "lttc:pooled", "prefix:none",
        "min_area:0.0",
    )  # fmt: skip
    assert {*usual} <= {*metric().signature().split("|")}
    assert {"w:2.0", "cut:0.4", "min_area:0.01"} <= {*metric(w="2", cut="0.4", min_area="0.01").signature().split("|")}


@pytest.mark.parametrize("options", [{"w": "0"}, {"w": "x"}, {"cut": "-1"}, {"min_area": "1"}])
def test_an_option_out_of_range_is_named(options: dict[str, str]) -> None:
    with pytest.raises(BadSetting, match=next(iter(options))):
        choices(options)
