"""A training conversation in tokens, and which of them the model is to learn."""

from dataclasses import dataclass
from typing import Any

from core.errors import BadSetting
from core.models.vlm.llava_prompt import IMAGE, Turn, llava_v1
from core.training.expert.conversations import Conversation

IGNORED = -100  # label of tokens that the model is not to learn; what torch's cross entropy leaves out


@dataclass(frozen=True, slots=True)
class Lesson:
    """One conversation in tokens."""

    ids: list[int]
    labels: list[int]  # the token's id where the model is to learn it, IGNORED elsewhere; as long as ids


def lesson(tokenizer: Any, conversation: Conversation, image_token: int, image_tokens: int) -> Lesson:
    """Return the conversation in the tokens in which the model will be asked, of a fast tokenizer of transformers.

    Learned are the two answers, each with the end mark behind it. The texts before and behind the picture are
    tokenised apart, and image_tokens placeholders stand between them. Raises BadSetting for a tokenizer that writes
    a question otherwise when its answer follows: the model would be asked in other tokens than it was taught.
    """
    before, *stages = _texts(conversation)
    encoded = tokenizer(stages[-1], add_special_tokens=False, return_offsets_mapping=True)
    for asked in (stages[0], stages[2]):
        prompt = tokenizer.encode(asked, add_special_tokens=False)
        if encoded["input_ids"][: len(prompt)] != prompt:
            raise BadSetting(f"the tokenizer joins question and answer of {conversation.id}; choose another --base")
    answers = ((len(stages[0]), len(stages[1])), (len(stages[2]), len(stages[3])))
    learned = [any(start < end <= stop for start, stop in answers) for _, end in encoded["offset_mapping"]]
    head = [*tokenizer.encode(before, add_special_tokens=True), *[image_token] * image_tokens]
    labels = [token if learn else IGNORED for token, learn in zip(encoded["input_ids"], learned, strict=True)]
    return Lesson([*head, *encoded["input_ids"]], [*[IGNORED] * len(head), *labels])


def _texts(conversation: Conversation) -> list[str]:
    """Return the text before the picture; that behind it up to the first answer, with it, up to the second, with it."""
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
