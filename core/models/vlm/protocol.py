"""What metrics ask of a vision-language model, and the published models they are run on. No torch here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from PIL import Image

from core.models import Checkpoint
from core.smoothing import Digits

LLAVA_13B = Checkpoint(
    purpose="vision-language model",
    repo="llava-hf/llava-1.5-13b-hf",
    revision="5dda2880bda009266dda7c4baff660b95ca64540",
    size_gb=26.7,
    licence="Llama 2 Community License",
)
LLAVA_7B = Checkpoint(
    purpose="smaller vision-language model, by --model",
    repo="llava-hf/llava-1.5-7b-hf",
    revision="b234b804b114d9e37bb655e11cbbb5f5e971b7a9",
    size_gb=14.1,
    licence="Llama 2 Community License",
)
EXPERT_ADAPTER = Checkpoint(
    purpose="LoRA adapter and projector of the fine-tuned model",
    repo="hjkim811/EXPERT-llava-13b-lora",
    revision="main",  # its commits could not be looked up; a signature names the commit that was really loaded
    size_gb=1.1,  # computed from rank 128 over 40 layers in 16 bit
    licence="Llama 2 Community License (derived from LLaVA-1.5)",
)
VLM_OPTIONS: Mapping[str, tuple[str, ...]] = {  # values by name of option, the default first
    "template": ("auto", "llava_v1", "chat"),  # auto: llava_v1 for LLaVA-1.5, else the model's own chat template
    "dtype": ("auto", "float32", "float16", "bfloat16"),  # auto: float16 on a GPU, float32 on a CPU
}
PINNED = {checkpoint.repo: checkpoint for checkpoint in (LLAVA_13B, LLAVA_7B, EXPERT_ADAPTER)}


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer: token by token where a score is asked for, else in one piece."""

    pieces: tuple[str, ...]  # text of each token; "" for control tokens
    digits: tuple[Digits, ...]  # beside each token, the probability of the ten digits at that step: float64 [10]


class Conversations(Protocol):
    """Several conversations held side by side, one picture each. Row i of every argument is conversation i."""

    def ask_score(self, texts: Sequence[str]) -> list[Reply]:
        """Add a user turn to each and let the model answer, until its score is complete or it ends."""
        ...

    def ask(self, texts: Sequence[str]) -> list[str]:
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
