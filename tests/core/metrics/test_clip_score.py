from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.errors import BadImage
from core.metrics.clip_score import (
    CLIPScore,
    RefCLIPScore,
    clip_score,
    cosine,
)
from core.types import EvaluationError, ImageRef, Sample, Score

FloatArray = npt.NDArray[np.float32]
FEATURES = arrays(np.float32, 3, elements=st.floats(-2, 2, width=32)).filter(lambda a: float(np.abs(a).max()) > 1e-3)


def vector(*numbers: float) -> FloatArray:
    return np.array(numbers, dtype=np.float32)


class FakeClip:
    """Features by name, and the texts it was asked for."""

    weights = "fake-clip"

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.known = {"near": vector(3, 4), "image": vector(1, 0), "across": vector(0, 2), "against": vector(-1, 0)}

    def image_features(self, path: Path) -> FloatArray:
        if path.name == "broken":
            raise BadImage("broken: the picture is broken")
        return self.known[path.name]

    def tokens_read(self, text: str) -> tuple[int, int]:
        return min(4, len(text.split())), len(text.split())

    def text_features(self, text: str) -> FloatArray:
        self.texts.append(text)
        return self.known[text.removeprefix("A photo depicts ")]


def sample(candidate: str, *references: str, picture: str = "image") -> Sample:
    return Sample("1", ImageRef(picture, Path(picture)), candidate, references)


def test_clip_score_is_two_and_a_half_times_the_cosine() -> None:
    [outcome] = CLIPScore(FakeClip()).score([sample("near")])
    assert isinstance(outcome, Score)
    assert outcome.value == pytest.approx(2.5 * 3 / 5)
    assert outcome.scale == (0.0, 2.5)


def test_ref_clip_score_is_the_harmonic_mean_with_the_closest_reference() -> None:
    [outcome] = RefCLIPScore(FakeClip()).score([sample("near", "against", "across")])
    assert isinstance(outcome, Score)
    assert outcome.value == pytest.approx(2 * 1.5 * 0.8 / (1.5 + 0.8))
    assert outcome.components == {"clip_score": pytest.approx(1.5), "reference_cosine": pytest.approx(0.8)}


@pytest.mark.parametrize("metric", [CLIPScore(FakeClip()), RefCLIPScore(FakeClip())], ids=["without", "with"])
@pytest.mark.parametrize(
    ("image", "kind"), [(ImageRef("broken", Path("broken")), "bad_image"), (ImageRef("gone"), "missing_image")]
)
def test_a_bad_picture_is_an_error_and_the_next_sample_is_scored(metric: CLIPScore, image: ImageRef, kind: str) -> None:
    outcomes = list(metric.score([Sample("0", image, "near", ("across",)), sample("near", "across")]))
    assert isinstance(outcomes[0], EvaluationError)
    assert (outcomes[0].kind, image.name in outcomes[0].message) == (kind, True)
    assert isinstance(outcomes[1], Score)


def test_candidate_and_references_are_given_with_the_papers_prompt() -> None:
    clip = FakeClip()
    list(RefCLIPScore(clip).score([sample("near", "across")]))
    assert clip.texts == ["A photo depicts near", "A photo depicts across"]


def test_signatures_name_metric_model_and_weight() -> None:
    assert CLIPScore(FakeClip()).signature() == "CLIPScore|model:fake-clip|precision:float32|w:2.5|capscope:0.2.0"
    assert RefCLIPScore(FakeClip()).signature().startswith("RefCLIPScore|model:fake-clip")


@given(FEATURES, FEATURES, st.floats(0.1, 10))
def test_the_cosine_looks_at_directions_only(a: FloatArray, b: FloatArray, stretch: float) -> None:
    assert -1 <= cosine(a, b) <= 1
    assert cosine(a, b) == pytest.approx(cosine(b, a), abs=1e-6)
    assert cosine(a * np.float32(stretch), b) == pytest.approx(cosine(a, b), abs=1e-5)
    assert clip_score(a, a) == pytest.approx(2.5, abs=1e-5)
