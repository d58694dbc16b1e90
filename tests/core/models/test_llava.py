import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from core.images.pictures import open_rgb
from core.models.llava import LocalVlm
from core.models.vlm import Chat, Reply, Turn, pixel_values
from core.score_reading.smoothing import smooth
from tests.published_procedure import generate_answer
from tests.toy_llava import led

CAPTIONS = ("a dog", "two dogs are running over a wide green lawn", "A cat!", "a dog and 3 cats", "a dog")
QUESTIONS = tuple(f"Rate the caption.\n\nCaption: {caption}\n\nScore:" for caption in CAPTIONS)
ROWS = [0, 0, 1, 0, 2]  # picture of each question
LIMIT = 24  # tokens an answer
WHY = "Why? Tell me the reason."


@pytest.fixture
def vlm(toy: tuple[Any, Any]) -> LocalVlm:
    return LocalVlm(*toy, {"model": "toy"}, max_new_tokens=LIMIT)


@pytest.fixture(scope="module")
def images() -> list[Image.Image]:
    random = np.random.default_rng(0)
    return [
        Image.fromarray(random.integers(0, 255, shape, dtype=np.uint8)).resize((40, 24))
        for shape in [(2, 3, 3), (3, 2, 3), (1, 4, 3)]
    ]


def score(reply: Reply) -> float:
    return smooth(reply.pieces, reply.digits).value


def published(toy: tuple[Any, Any], image: Image.Image, turns: Sequence[Turn]) -> Reply:
    return generate_answer(*toy, image, turns, LIMIT)


def asked(images: Sequence[Image.Image]) -> list[Chat]:
    return [Chat(images[row], ((question, None),)) for row, question in zip(ROWS, QUESTIONS, strict=True)]


def test_scores_in_a_batch_are_those_of_one_generate_a_caption(
    toy: tuple[Any, Any], vlm: LocalVlm, images: list[Image.Image]
) -> None:
    replies = vlm.answers(asked(images), scored=True)
    scores = [score(reply) for reply in replies]
    for value, question, row in zip(scores, QUESTIONS, ROWS, strict=True):
        assert value == pytest.approx(score(published(toy, images[row], [(question, None)])), abs=1e-4)
    assert (
        min(abs(a - b) for i, a in enumerate(scores[:4]) for b in scores[:i]) > 2e-4
    )  # they depend on all that is read
    (alone,) = vlm.answers(asked(images)[1:2], scored=True)
    assert alone.pieces == replies[1].pieces
    assert np.abs(np.array(alone.digits) - np.array(replies[1].digits)).max() < 1e-4


def test_explanations_are_those_of_one_generate_a_turn(
    toy: tuple[Any, Any], vlm: LocalVlm, images: list[Image.Image]
) -> None:
    told = ["0.833984375", "0.5", "0.7001953125", "0.9", "0.6"]
    turns = [((question, answer), (WHY, None)) for question, answer in zip(QUESTIONS, told, strict=True)]
    replies = vlm.answers([Chat(images[row], one) for row, one in zip(ROWS, turns, strict=True)], scored=False)
    assert len({reply.text for reply in replies}) > 1
    for reply, one, row in zip(replies, turns, ROWS, strict=True):
        assert reply.text == published(toy, images[row], one).text.strip()
        assert LIMIT - 3 <= len(reply.text) <= LIMIT  # an answer that never ends is cut


ECHOES = {  # what a model writes: the number that is its score, and how much of it is read
    "0.75": (0.75, "0.75"),
    "0.75, because it fits.": (0.75, "0.75"),
    "Score (0.0~1.0): 0.75": (0.75, "Score (0.0~1.0): 0.75"),
    "On a scale of 0.0 to 1.0, I rate it 0.75.": (0.75, "On a scale of 0.0 to 1.0, I rate it 0.75"),
    "0.0~1.0: 1.0": (1.0, "0.0~1.0: 1.0"),
}


def test_a_model_that_repeats_the_scale_scores_as_in_one_generate_to_the_end(
    toy: tuple[Any, Any], images: list[Image.Image]
) -> None:
    vlm, image, tokenizer = LocalVlm(*toy, {"model": "toy"}), images[0], toy[1].tokenizer
    with led(toy[0], tokenizer, list(ECHOES)):
        replies = vlm.answers([Chat(image, ((QUESTIONS[0], None),))] * len(ECHOES), scored=True)
    for reply, (answer, (raw, read)) in zip(replies, ECHOES.items(), strict=True):
        with led(toy[0], tokenizer, [answer]):
            whole = generate_answer(*toy, image, [(QUESTIONS[0], None)], 64)
        assert (reply.text.strip(), whole.text.strip()) == (read, answer)
        assert smooth(reply.pieces, reply.digits).raw == raw
        assert "ambiguous" not in smooth(reply.pieces, reply.digits).components
        assert score(reply) == pytest.approx(score(whole), abs=1e-4)


# -- pictures --

MEAN, STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)


@pytest.mark.parametrize("name", ["wide", "tall_odd", "square_small", "wide_rgba"])
def test_golden_pictures_are_prepared_as_published(shared_dir: Path, name: str) -> None:
    folder = shared_dir / "golden" / "llava_preprocess"
    facts = next(c for c in json.loads((folder / "llava_preprocess.json").read_text())["cases"] if c["name"] == name)
    arrays = np.load(folder / "expected.npz")
    values = pixel_values(open_rgb(folder / facts["file"], drop_alpha=True), 336, MEAN, STD)
    assert values.shape == (3, 336, 336) and values.dtype == np.float32
    expected = np.asarray(Image.open(folder / facts["expected_uint8"]).convert("RGB")) / 255
    assert np.abs(values - ((expected - MEAN) / STD).transpose(2, 0, 1)).max() < 1e-5
    grid = arrays["grid_index"] if "grid_index" in arrays else None
    if grid is not None:
        assert np.abs(values[:, grid][:, :, grid] - arrays[f"{name}/pixel_values_grid"]).max() < 1e-5
    assert values.mean(axis=(1, 2)) == pytest.approx(facts["channel_mean"], abs=1e-4)
