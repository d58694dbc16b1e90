from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadImage
from core.metrics.polos import Polos, cut_to_fewest
from core.types import EvaluationError, ImageRef, Outcome, Sample, Score

FloatArray = npt.NDArray[np.float32]


class FakeRegressor:
    """Scores a reference by its length against the candidate's; keeps the batches it was asked for."""

    weights = "fake@000000000000"

    def __init__(self) -> None:
        self.batches: list[tuple[list[str], list[tuple[str, ...]]]] = []

    def image_features(self, path: Path) -> FloatArray:
        if path.name == "broken.png":
            raise BadImage("broken.png: the picture is broken; get the file again")
        return np.full(2, len(path.name), dtype=np.float32)

    def tokens_read(self, text: str) -> tuple[int, int]:
        return min(9, len(text.split())), len(text.split())

    def estimate(
        self, images: FloatArray, candidates: Sequence[str], references: Sequence[Sequence[str]]
    ) -> FloatArray:
        self.batches.append((list(candidates), [tuple(texts) for texts in references]))
        rows = [
            [1 / (1 + abs(len(candidate) - len(text))) for text in texts]
            for candidate, texts in zip(candidates, references, strict=True)
        ]
        return np.array(rows, dtype=np.float32)


def sample(
    key: str, candidate: str = "a dog", references: tuple[str, ...] = ("a cat",), picture: str = "a.png"
) -> Sample:
    return Sample(key, ImageRef(picture, Path("/pictures") / picture), candidate, references)


def values(outcomes: Sequence[Outcome]) -> list[float]:
    return [outcome.value for outcome in outcomes if isinstance(outcome, Score)]


def test_the_score_is_that_of_the_closest_reference_and_the_others_are_kept() -> None:
    [outcome] = Polos(FakeRegressor()).score([sample("1", "abc", ("abcd", "abc", "abcdef"))])
    assert isinstance(outcome, Score)
    assert outcome.value == 1.0
    assert outcome.components["per_reference"] == (0.5, 1.0, 0.25)


@pytest.mark.parametrize(
    ("picture", "kind"),
    [(ImageRef("gone.png"), "missing_image"), (ImageRef("broken.png", Path("broken.png")), "bad_image")],
)
def test_a_picture_that_is_missing_or_broken_is_an_error_that_names_it(picture: ImageRef, kind: str) -> None:
    [outcome] = Polos(FakeRegressor()).score([Sample("1", picture, "a dog", ("a cat",))])
    assert isinstance(outcome, EvaluationError)
    assert outcome.kind == kind
    assert picture.name in outcome.message


def test_by_default_every_sample_is_estimated_alone_with_all_its_references() -> None:
    model = FakeRegressor()
    list(Polos(model).score([sample("1", "x", ("a", "b", "c")), sample("2", "y", ("d",))]))
    assert model.batches == [(["x"], [("a", "b", "c")]), (["y"], [("d",)])]


def test_strict_reference_batches_and_cuts_references_to_the_fewest() -> None:
    model = FakeRegressor()
    samples = [sample("1", "x", ("a", "b", "c")), sample("2", "y", ("d", "e")), sample("3", "z", ("f",))]
    outcomes = list(Polos(model, batch_size=2).score(samples))
    assert model.batches == [(["x", "y"], [("a", "b"), ("d", "e")]), (["z"], [("f",)])]
    assert len(values(outcomes)) == 3


def test_in_a_strict_batch_a_bad_sample_takes_no_other_with_it() -> None:
    samples = [sample("1", "abc", ("abc",)), sample("2", picture="broken.png"), sample("3", "ab", ("abc",))]
    outcomes = list(Polos(FakeRegressor(), batch_size=3).score(samples))
    assert values(outcomes) == [1.0, 0.5]
    assert isinstance(outcomes[1], EvaluationError)


def test_a_strict_batch_of_bad_samples_only_asks_the_model_nothing() -> None:
    model, gone = FakeRegressor(), ImageRef("gone.png")
    outcomes = list(Polos(model, batch_size=2).score([Sample(key, gone, "a", ("b",)) for key in "12"]))
    assert [type(outcome) for outcome in outcomes] == [EvaluationError] * 2
    assert model.batches == []


def test_scores_are_made_one_by_one_as_they_are_asked_for() -> None:
    model = FakeRegressor()
    next(Polos(model).score([sample("1"), sample("2")]))
    assert len(model.batches) == 1


def test_the_signature_names_the_weights_and_the_layer_norm() -> None:
    assert Polos(FakeRegressor()).signature() == "Polos|layer_norm:sample|model:fake@000000000000|capscope:0.2.0"
    assert "layer_norm:batch of 8" in Polos(FakeRegressor(), batch_size=8).signature()


@given(st.text(), st.lists(st.text(), min_size=1, max_size=6), st.text())
def test_a_further_reference_never_lowers_the_score(candidate: str, references: list[str], further: str) -> None:
    metric = Polos(FakeRegressor())
    few, more = sample("1", candidate, tuple(references)), sample("2", candidate, (*references, further))
    before, after = values(list(metric.score([few, more])))
    assert after >= before


@given(st.lists(st.lists(st.text(max_size=2), min_size=1, max_size=4).map(tuple), min_size=1, max_size=4))
def test_references_are_cut_to_the_fewest_and_keep_their_order(references: list[tuple[str, ...]]) -> None:
    cut = cut_to_fewest(references)
    assert {len(texts) for texts in cut} == {min(map(len, references))}
    assert all(whole[: len(texts)] == texts for whole, texts in zip(references, cut, strict=True))
