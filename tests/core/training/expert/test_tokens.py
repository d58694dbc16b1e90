"""What of a training conversation is learned, token by token."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import BadSetting
from core.training.expert.conversations import Conversation
from core.training.expert.tokens import IGNORED, lesson


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global eight_conversations, tiny_tokenizer
    from tests.core.models.sft_tiny import eight_conversations, tiny_tokenizer


ASKED = Conversation("p/1", "1.png", ("<image>\nScore of A dog:", "0.9", "Why?", "Fluency: Good.\nRelevance: No."))


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return tiny_tokenizer()


def encoded(tokenizer: Any, text: str) -> list[str]:
    return list(tokenizer.tokenize(text))


def test_every_token_of_both_answers_with_its_end_is_learned_and_no_other(tokenizer: Any) -> None:
    made = lesson(tokenizer, ASKED, image_token=7, image_tokens=3)
    tokens = tokenizer.convert_ids_to_tokens(made.ids)
    learned = [label != IGNORED for label in made.labels]
    first, second = encoded(tokenizer, "0.9"), encoded(tokenizer, "Fluency: Good.\nRelevance: No.")
    runs: list[list[str]] = [[]]
    for token, learn in zip(tokens, learned, strict=True):
        if learn:
            runs[-1].append(token)
        elif runs[-1]:
            runs.append([])
    assert runs == [[*first, "</s>"], [*second, "</s>"]]
    assert learned[-1] and not any(learned[: tokens.index(first[0])])


def test_learned_labels_are_the_tokens_themselves(tokenizer: Any) -> None:
    for conversation in eight_conversations():
        made = lesson(tokenizer, conversation, 7, 3)
        assert len(made.ids) == len(made.labels)
        assert all(label in (token, IGNORED) for token, label in zip(made.ids, made.labels, strict=True))


def test_the_question_is_in_the_tokens_in_which_the_engine_asks_it(tokenizer: Any) -> None:
    made = lesson(tokenizer, ASKED, image_token=7, image_tokens=3)
    system = tokenizer.encode(
        "A chat between a curious human and an artificial intelligence assistant. "
        "The assistant gives helpful, detailed, and polite answers to the human's questions. USER: "
    )
    question = tokenizer.encode("\nScore of A dog: ASSISTANT:", add_special_tokens=False)
    prompt = [*system, 7, 7, 7, *question]
    assert system[0] == tokenizer.bos_token_id
    assert made.ids[: len(prompt)] == prompt
    assert made.labels[: len(prompt)] == [IGNORED] * len(prompt)
    assert made.labels[len(prompt)] != IGNORED


def test_a_tokenizer_that_joins_question_and_answer_is_refused(tokenizer: Any) -> None:
    class Joining:
        encode = tokenizer.encode

        def __call__(self, text: str, **options: Any) -> dict[str, Any]:
            encoding = tokenizer(text, **options)
            return {name: values[1:] for name, values in encoding.items()}

    with pytest.raises(BadSetting, match="joins the end of a question and the start of its answer in p/1"):
        lesson(Joining(), ASKED, 7, 3)
