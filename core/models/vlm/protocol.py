"""The interface of vision-language models for metrics, without importing torch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from PIL import Image

from core.costs import Usage
from core.errors import NoScore
from core.models.vlm.llava_v1 import Turn
from core.score_reading.smoothing import Digits

Facts = Mapping[str, str | bool | None]

VLM_OPTIONS: Mapping[str, tuple[str, ...]] = {  # key: option; value: allowed values, the default first; (): any text
    "template": ("auto", "llava_v1", "chat"),  # auto: llava_v1 for LLaVA-1.5, else the model's own chat template
    "dtype": ("auto", "float32", "float16", "bfloat16"),  # auto: float16 on a GPU, float32 on a CPU
    "side": (),  # side in px of the square picture that LLaVA gets on a server; default 336; not used for local models
}


@dataclass(frozen=True, slots=True, eq=False)
class Chat:
    """A conversation about one picture. The last turn has no answer yet."""

    image: Image.Image  # RGB; chats about one picture should share the object, because then it is encoded once
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer, split into tokens if a score was requested."""

    pieces: tuple[str, ...]  # text of each token; "" for control tokens
    digits: tuple[Digits, ...] = ()  # the ten digits' probabilities at each token: float64 [10]
    unreported: tuple[float, ...] = ()  # for each token, an upper bound of an unreported digit's probability; (): none
    likely: tuple[Mapping[str, float], ...] = ()  # for each token, the likeliest texts and their probabilities
    usage: Usage | None = None  # None: no server answered

    @property
    def text(self) -> str:
        """Return the whole answer."""
        return "".join(self.pieces)


class Vlm(Protocol):
    """A vision-language model that answers the last message of each conversation."""

    @property
    def facts(self) -> Facts:
        """What the signatures of scores state about the model: everything about it that can change a score."""
        ...

    @property
    def control_texts(self) -> frozenset[str]:
        """Texts that the tokenizer reads as control tokens, such as "</s>". Captions must not contain them."""
        ...

    def answers(self, chats: Sequence[Chat], scored: bool) -> Sequence[Reply | NoScore]:
        """Return the model's greedy answers, in order. A refused request gives a NoScore.

        scored: the answer must contain a score. It ends when the score is complete, and has probabilities of digits.
        """
        ...
