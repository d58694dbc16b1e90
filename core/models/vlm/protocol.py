"""The interface of vision-language models for metrics, without importing torch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from PIL import Image

from core.costs import Usage
from core.errors import NoScore
from core.score_reading.smoothing import Digits

VLM_OPTIONS: Mapping[str, tuple[str, ...]] = {  # key: option; value: allowed values, the default first
    "template": ("auto", "llava_v1", "chat"),  # auto: llava_v1 for LLaVA-1.5, else the model's own chat template
    "dtype": ("auto", "float32", "float16", "bfloat16"),  # auto: float16 on a GPU, float32 on a CPU
    "samples": (),  # number of sampled answers of a served model for each score; "": one greedy answer
    "temperature": (),  # temperature of sampled answers
    "side": (),  # side in px of the square picture that LLaVA gets on a server; default 336; not used for local models
}


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer.

    If a score was requested, the answer is split into tokens. Other answers are one text.
    """

    pieces: tuple[str, ...]  # text of each token; "" for control tokens
    digits: tuple[Digits, ...]  # the ten digits' probabilities at each token: float64 [10]
    unreported: tuple[
        float, ...
    ] = ()  # for each token, the highest possible probability of an unreported digit; (): all digits are reported
    sampled: tuple[str | NoScore, ...] = ()  # several sampled answers, `pieces` is then empty; (): one greedy answer
    likely: tuple[Mapping[str, float], ...] = ()  # for each token, the likeliest texts and their probabilities


class Conversations(Protocol):
    """Several parallel conversations, each about one picture.

    Entry i of every argument belongs to conversation i. If a server refuses a request, its answer is a NoScore.
    """

    @property
    def usages(self) -> Sequence[Usage | None]:
        """The number of tokens of each conversation so far; None if no server answered.

        Conversations that were removed by `keep` are included.
        """
        ...

    def ask_score(self, texts: Sequence[str]) -> Sequence[Reply | NoScore]:
        """Add a user message to each conversation, and generate until the score is complete or the answer ends."""
        ...

    def ask(self, texts: Sequence[str]) -> Sequence[str | NoScore]:
        """Add a user message to each conversation, and generate the whole answer."""
        ...

    def record(self, answers: Sequence[str]) -> None:
        """Add to each conversation the text that the model will see as its last answer.

        This call is required before the next question.
        """
        ...

    def keep(self, rows: Sequence[int]) -> None:
        """Keep only the conversations whose indices are in `rows`, in this order."""
        ...


class Vlm(Protocol):
    """A vision-language model, ready for conversations."""

    @property
    def facts(self) -> Mapping[str, str | bool | None]:
        """What the signatures of scores state about the model.

        They state everything about the model that can change a score. This includes the model's name, revision,
        adapter, number format and prompt template.
        """
        ...

    @property
    def control_texts(self) -> frozenset[str]:
        """Texts that the tokenizer reads as control tokens, such as "</s>".

        Captions must not contain these texts.
        """
        ...

    def open(self, images: Sequence[Image.Image], rows: Sequence[int]) -> Conversations:
        """Start one conversation for each entry of `rows`.

        Conversation i is about images[rows[i]], an RGB picture.
        """
        ...
