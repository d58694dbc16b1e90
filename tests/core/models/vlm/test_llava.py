from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from PIL import Image

from core.models.vlm.llava_prompt import Turn
from core.models.vlm.protocol import Reply
from core.score_reading.smoothing import smooth
from tests.toy_llava import led


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, prepare_torchvision, LlavaVlm, generate_answer
    import torch

    from core.models.runtime.torchvision_ops import prepare_torchvision
    from core.models.vlm.llava import LlavaVlm
    from tests.published_procedure import generate_answer


CAPTIONS = ("a dog", "two dogs are running over a wide green lawn", "A cat!", "a dog and 3 cats", "a dog")
QUESTIONS = tuple(f"Rate the caption.\n\nCaption: {caption}\n\nScore:" for caption in CAPTIONS)
LIMIT = 24  # tokens an answer
WHY = "Why? Tell me the reason."


@pytest.fixture
def vlm(toy: tuple[Any, Any]) -> LlavaVlm:
    return LlavaVlm(*toy, {"model": "toy"}, max_new_tokens=LIMIT)


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


ROWS = [0, 0, 1, 0, 2]  # picture of each question


@pytest.mark.parametrize("rows", [ROWS, [0] * 5, [2, 1, 0, 1, 2]], ids=["mixed", "one picture", "interleaved"])
def test_scores_are_those_of_one_generate_a_caption(
    toy: tuple[Any, Any], vlm: LlavaVlm, images: list[Image.Image], rows: list[int]
) -> None:
    shown = sorted(set(rows))
    replies = vlm.open([images[i] for i in shown], [shown.index(row) for row in rows]).ask_score(QUESTIONS)
    for reply, question, row in zip(replies, QUESTIONS, rows, strict=True):
        assert score(reply) == pytest.approx(score(published(toy, images[row], [(question, None)])), abs=1e-4)


def test_the_toy_gives_scores_that_depend_on_caption_and_picture(vlm: LlavaVlm, images: list[Image.Image]) -> None:
    """Otherwise the comparisons here would prove little."""
    replies = vlm.open(images, [0, 0, 1, 2]).ask_score([QUESTIONS[0], QUESTIONS[1], QUESTIONS[0], QUESTIONS[0]])
    scores = [score(reply) for reply in replies]
    assert min(abs(a - b) for i, a in enumerate(scores) for b in scores[:i]) > 3e-4


def test_a_sample_scores_the_same_alone_and_in_a_batch(vlm: LlavaVlm, images: list[Image.Image]) -> None:
    together = vlm.open(images, ROWS).ask_score(QUESTIONS)
    for reply, question, row in zip(together, QUESTIONS, ROWS, strict=True):
        (alone,) = vlm.open([images[row]], [0]).ask_score([question])
        assert alone.pieces == reply.pieces
        assert score(alone) == pytest.approx(score(reply), abs=1e-4)
        assert np.abs(np.array(alone.digits) - np.array(reply.digits)).max() < 1e-4


def test_explanations_are_those_of_one_generate_a_turn(
    toy: tuple[Any, Any], vlm: LlavaVlm, images: list[Image.Image]
) -> None:
    conversations = vlm.open(images, ROWS)
    conversations.ask_score(QUESTIONS)
    told = ["0.833984375", "0.5", "0.7001953125", "0.9", "0.6"]
    conversations.record(told)
    texts = conversations.ask([WHY] * 5)
    assert len(set(texts)) > 1
    for text, answer, question, row in zip(texts, told, QUESTIONS, ROWS, strict=True):
        expected = published(toy, images[row], [(question, answer), (WHY, None)])
        assert text == "".join(expected.pieces).strip()


def test_a_third_turn_goes_on_from_the_second(toy: tuple[Any, Any], vlm: LlavaVlm, images: list[Image.Image]) -> None:
    conversations = vlm.open(images[:1], [0, 0])
    first = conversations.ask(QUESTIONS[:2])
    conversations.record(first)
    conversations.ask(["And now?"] * 2)
    conversations.record(["Yes", "It is a longer answer."])
    replies = conversations.ask_score(["Score:"] * 2)
    for row, said in enumerate(["Yes", "It is a longer answer."]):
        turns = [(QUESTIONS[row], first[row]), ("And now?", said), ("Score:", None)]
        assert score(replies[row]) == pytest.approx(score(published(toy, images[0], turns)), abs=1e-4)


def test_conversations_that_are_dropped_leave_the_others_as_they_were(
    toy: tuple[Any, Any], vlm: LlavaVlm, images: list[Image.Image]
) -> None:
    conversations = vlm.open(images, ROWS)
    conversations.ask_score(QUESTIONS)
    conversations.keep([4, 1])
    conversations.record(["0.75", "0.5"])
    texts = conversations.ask([WHY, WHY])
    for text, (row, answer) in zip(texts, [(4, "0.75"), (1, "0.5")], strict=True):
        expected = published(toy, images[ROWS[row]], [(QUESTIONS[row], answer), (WHY, None)])
        assert text == "".join(expected.pieces).strip()


def test_a_picture_is_encoded_once_for_all_its_captions_and_turns(
    vlm: LlavaVlm, images: list[Image.Image], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoded: list[int] = []
    original = vlm.model.get_image_features

    def counted(pixel_values: Any, **options: Any) -> Any:
        encoded.append(len(pixel_values))
        return original(pixel_values=pixel_values, **options)

    monkeypatch.setattr(vlm.model, "get_image_features", counted)
    conversations = vlm.open(images[:2], [0, 0, 1, 1, 1])
    conversations.ask_score(QUESTIONS)
    conversations.record(["0.5"] * 5)
    conversations.ask([WHY] * 5)
    assert encoded == [2]


@pytest.fixture
def read(vlm: LlavaVlm, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Rows and columns of every forward pass."""
    passes: list[tuple[int, int]] = []
    original = vlm.model.forward

    def counted(**options: Any) -> Any:
        passes.append(tuple(options["inputs_embeds"].shape[:2]))
        return original(**options)

    monkeypatch.setattr(vlm.model, "forward", counted)
    return passes


def test_captions_of_one_picture_share_what_their_prompts_have_in_common(
    vlm: LlavaVlm, images: list[Image.Image], read: list[tuple[int, int]]
) -> None:
    vlm.open(images[:1], [0, 0, 0]).ask_score(QUESTIONS[:3])
    shared = len(vlm.encode([("Rate the caption.\n\nCaption: ", None)], 4)) - len(" ASSISTANT:")
    longest = max(len(vlm.encode([(question, None)], 4)) for question in QUESTIONS[:3])
    assert read[:2] == [(1, shared), (3, longest - shared)]


def test_an_explanation_reads_only_what_is_new(
    vlm: LlavaVlm, images: list[Image.Image], read: list[tuple[int, int]]
) -> None:
    conversations = vlm.open(images[:1], [0, 0])
    replies = conversations.ask_score([QUESTIONS[0]] * 2)
    said = "".join(replies[0].pieces)
    conversations.record([said] * 2)
    read.clear()
    conversations.ask([WHY] * 2)
    new = len(vlm.encode([(QUESTIONS[0], said), (WHY, None)], 4)) - len(vlm.encode([(QUESTIONS[0], None)], 4))
    assert read[0][0] == 2 and new - len(said) - 1 <= read[0][1] <= new


def test_decoding_a_score_stops_after_the_second_decimal(vlm: LlavaVlm, images: list[Image.Image]) -> None:
    for reply in vlm.open(images, ROWS).ask_score(QUESTIONS):
        text = "".join(reply.pieces)
        assert len(text) <= len("0.85") and len(reply.digits) == len(reply.pieces)
        assert reply.pieces[-1] == "" or len(text) == len("0.85")


ECHOES = {  # what a model writes: the number that is its score, and how much of it is read
    "0.75": (0.75, "0.75"),
    "0.75, because it fits.": (0.75, "0.75"),
    "Score (0.0~1.0): 0.75": (0.75, "Score (0.0~1.0): 0.75"),
    "On a scale of 0.0 to 1.0, I rate it 0.75.": (0.75, "On a scale of 0.0 to 1.0, I rate it 0.75"),
    "1.0 is best; I say 0.4": (0.4, "1.0 is best; I say 0.4"),
    "0.0~1.0: 1.0": (1.0, "0.0~1.0: 1.0"),
}


def test_a_model_that_repeats_the_scale_scores_as_in_one_generate_to_the_end(
    toy: tuple[Any, Any], images: list[Image.Image]
) -> None:
    vlm, image, tokenizer = LlavaVlm(*toy, {"model": "toy"}), images[0], toy[1].tokenizer
    size = len(ECHOES)
    with led(toy[0], tokenizer, list(ECHOES)):
        replies = vlm.open([image] * size, range(size)).ask_score([QUESTIONS[0]] * size)
    for reply, (answer, (raw, read)) in zip(replies, ECHOES.items(), strict=True):
        with led(toy[0], tokenizer, [answer]):
            whole = generate_answer(*toy, image, [(QUESTIONS[0], None)], 64)
        assert ("".join(reply.pieces).strip(), "".join(whole.pieces).strip()) == (read, answer)
        assert smooth(reply.pieces, reply.digits).raw == raw
        assert "ambiguous" not in smooth(reply.pieces, reply.digits).components
        assert score(reply) == pytest.approx(score(whole), abs=1e-4)


def test_an_answer_that_never_ends_is_cut(vlm: LlavaVlm, images: list[Image.Image]) -> None:
    (text,) = vlm.open(images[:1], [0]).ask([QUESTIONS[0]])
    assert LIMIT - 3 <= len(text) <= LIMIT


def test_the_text_around_the_picture_is_tokenised_apart(vlm: LlavaVlm) -> None:
    tokens = vlm.tokenizer.convert_ids_to_tokens(vlm.encode([("Hi", None)], 4))
    place = tokens.index("<image>")
    assert tokens[0] == "<s>" and tokens.count("<s>") == 1
    assert tokens[place : place + 7] == ["<image>"] * 4 + ["\u2581", "<0x0A>", "H"]


def test_a_doubled_end_mark_changes_what_the_explanation_reads(toy: tuple[Any, Any]) -> None:
    plain, doubled = LlavaVlm(*toy, {"model": "toy"}), LlavaVlm(*toy, {"model": "toy"}, doubled_end=True)
    turns: list[Turn] = [("Hi", "0.5"), ("Why?", None)]
    assert len(doubled.encode(turns, 4)) == len(plain.encode(turns, 4)) + 1
