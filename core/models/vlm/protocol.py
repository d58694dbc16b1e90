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
    "gaps": ("no", "yes"),  # yes: write spaces after marks in request files, for servers that tokenise marks with text
    "top": ("20", "5"),  # in request files: maximum likeliest tokens that the service returns
    "samples": (),  # number of sampled answers of a served model for each score; "": one greedy answer
    "temperature": (),  # temperature of sampled answers
    "side": (),  # px, side of a served LLaVA's square picture; default 336; not used for models on this computer
}


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. Answers with a score are split into tokens, other answers are one text."""

    pieces: tuple[str, ...]  # text of each token; "" for control tokens
    digits: tuple[Digits, ...]  # the ten digits' probabilities at each token: float64 [10]
    unreported: tuple[
        float, ...
    ] = ()  # for each token, the highest probability of a digit that is reported as 0; (): all digits are reported
    sampled: tuple[str | NoScore, ...] = ()  # sampled answers, instead of tokens; (): one greedy answer
    likely: tuple[Mapping[str, float], ...] = ()  # for each token, the likeliest texts and their probabilities


class Conversations(Protocol):
    """Several parallel conversations, each about one picture. Row i of every argument is conversation i.

    A NoScore replaces an answer that a server refused.
    """

    @property
    def usages(self) -> Sequence[Usage | None]:
        """Each conversation's tokens so far, including dropped conversations; None if no server answered."""
        ...

    def ask_score(self, texts: Sequence[str]) -> Sequence[Reply | NoScore]:
        """Add a user turn to each conversation and generate until the score is complete or the answer ends."""
        ...

    def ask(self, texts: Sequence[str]) -> Sequence[str | NoScore]:
        """Add a user turn to each conversation and generate the whole answer."""
        ...

    def record(self, answers: Sequence[str]) -> None:
        """Record the text that counts as the assistant's last answer. Required before the next question."""
        ...

    def keep(self, rows: Sequence[int]) -> None:
        """Keep only these conversations, in this order."""
        ...


class Vlm(Protocol):
    """A vision-language model, ready for conversations."""

    @property
    def facts(self) -> Mapping[str, str | bool | None]:
        """Facts for signatures that can change a score: model, revision, adapter, dtype, template."""
        ...

    @property
    def control_texts(self) -> frozenset[str]:
        """Texts that the tokenizer reads as control tokens, such as "</s>"; captions must not contain them."""
        ...

    def open(self, images: Sequence[Image.Image], rows: Sequence[int]) -> Conversations:
        """Start len(rows) conversations; conversation i is about images[rows[i]], an RGB picture."""
        ...
