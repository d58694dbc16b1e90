"""What metrics ask of a vision-language model. No torch here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from PIL import Image

from core.costs import Usage
from core.errors import NoScore
from core.score_reading.smoothing import Digits

VLM_OPTIONS: Mapping[str, tuple[str, ...]] = {  # values by name of option, the default first
    "template": ("auto", "llava_v1", "chat"),  # auto: llava_v1 for LLaVA-1.5, else the model's own chat template
    "dtype": ("auto", "float32", "float16", "bfloat16"),  # auto: float16 on a GPU, float32 on a CPU
    "gaps": ("no", "yes"),  # in files of requests: spaces behind marks, for a server that tokenises them with the text
    "top": ("20", "5"),  # in files of requests: likeliest tokens that the service tells at most
    "side": (),  # px, of the square that a served LLaVA sees; 336 unless given. Models loaded here say it themselves
}


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: token by token where a score is asked for, else in one piece."""

    pieces: tuple[str, ...]  # text of each token; "" for control tokens
    digits: tuple[Digits, ...]  # beside each token, the probability of the ten digits at that step: float64 [10]
    untold: tuple[float, ...] = ()  # beside each token, what a digit of probability 0 may really have; (): all are told
    likely: tuple[Mapping[str, float], ...] = ()  # beside each token, the likeliest texts and their probabilities


class Conversations(Protocol):
    """Several conversations held side by side, one picture each. Row i of every argument is conversation i.

    A NoScore stands for an answer that a server would not give.
    """

    @property
    def usages(self) -> Sequence[Usage | None]:
        """The tokens of each conversation so far, dropped ones included; None where no server answered."""
        ...

    def ask_score(self, texts: Sequence[str]) -> Sequence[Reply | NoScore]:
        """Add a user turn to each and let the model answer, until its score is complete or it ends."""
        ...

    def ask(self, texts: Sequence[str]) -> Sequence[str | NoScore]:
        """Add a user turn to each and let the model answer to the end."""
        ...

    def record(self, answers: Sequence[str]) -> None:
        """Put down what the assistant is taken to have said to the last question. Due before the next one."""
        ...

    def keep(self, rows: Sequence[int]) -> None:
        """Drop all conversations but these, in this order."""
        ...


class Vlm(Protocol):
    """A vision-language model, ready to talk."""

    @property
    def facts(self) -> Mapping[str, str | bool | None]:
        """What can move a number, for signatures: model, revision, adapter, dtype, template."""
        ...

    @property
    def control_texts(self) -> frozenset[str]:
        """Texts that the tokenizer takes for control tokens, such as "</s>"; no caption may hold one."""
        ...

    def open(self, images: Sequence[Image.Image], rows: Sequence[int]) -> Conversations:
        """Begin len(rows) conversations; conversation i is about images[rows[i]], an RGB picture."""
        ...
