"""Tokenise a training conversation and mark the tokens that the model is trained on."""

from dataclasses import dataclass
from typing import Any

from core.errors import BadSetting
from core.models.vlm.llava_v1 import IMAGE, Turn, llava_v1
from core.training.expert.conversations import Conversation

IGNORED = -100  # label of tokens that the model does not learn; torch's cross entropy ignores it


@dataclass(frozen=True, slots=True)
class Lesson:
    """One training conversation as tokens."""

    ids: list[int]
    labels: list[int]  # for each token in ids: its id if the model learns it, else IGNORED


def lesson(tokenizer: Any, conversation: Conversation, image_token: int, image_tokens: int) -> Lesson:
    """Return a conversation as tokens. These are the same tokens that the model gets when it scores.

    tokenizer: a fast tokenizer of transformers. The model is trained on the two answers, each with its end mark. The
    texts before and after the picture are tokenised separately, with `image_tokens` placeholders for the picture
    between them. Raises BadSetting if the tokenizer splits a question differently when its answer follows. In that case
    the model would be trained on other tokens than it gets when it scores.
    """
    before, *stages = _texts(conversation)
    encoded = tokenizer(stages[-1], add_special_tokens=False, return_offsets_mapping=True)
    for asked in (stages[0], stages[2]):
        prompt = tokenizer.encode(asked, add_special_tokens=False)
        if encoded["input_ids"][: len(prompt)] != prompt:
            raise BadSetting(
                f"the tokenizer joins the end of a question and the start of its answer in {conversation.id} into one "
                "token; choose another --base"
            )
    answers = ((len(stages[0]), len(stages[1])), (len(stages[2]), len(stages[3])))
    learned = [any(start < end <= stop for start, stop in answers) for _, end in encoded["offset_mapping"]]
    head = [*tokenizer.encode(before, add_special_tokens=True), *[image_token] * image_tokens]
    labels = [token if learn else IGNORED for token, learn in zip(encoded["input_ids"], learned, strict=True)]
    return Lesson([*head, *encoded["input_ids"]], [*[IGNORED] * len(head), *labels])


def _texts(conversation: Conversation) -> list[str]:
    """Return the texts of a conversation that are to be tokenised.

    The first is the text before the picture. The others are the text after the picture, up to the end of each answer.
    """
    ask, score, why, reasons = conversation.turns
    question = ask.removeprefix(f"{IMAGE}\n")
    stages: list[list[Turn]] = [
        [(question, None)],
        [(question, score)],
        [(question, score), (why, None)],
        [(question, score), (why, reasons)],
    ]
    split = [llava_v1(turns).split(IMAGE, maxsplit=1) for turns in stages]
    return [split[0][0], *(behind for _, behind in split)]
