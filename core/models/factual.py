"""Extract facts with FACTUAL's parser (Li et al. 2023), through the library transformers.

The parser is flan-t5, fine-tuned on the FACTUAL corpus. The published code, zhuang-li/FactualSceneGraph, sometimes
loses words or facts. This module avoids that, so it differs from the published code. The length limit includes the end
token, so the longest caption of a batch keeps its last word. Facts keep their order of mention. A caption of several
sentences is parsed sentence by sentence, and the facts are merged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.captions.english import may_be_english
from core.captions.reading.facts import PROMPT, Fact, read_facts
from core.captions.reading.phrases import CaptionPhrase, phrase_of
from core.captions.reading.spans import fact_span
from core.captions.reading.words import sentences, words
from core.models import ModelSettings
from core.models.checkpoints import FACTUAL
from core.models.device import TokensRead, prepare_torchvision, tokens_read, torch_device
from core.models.weights import from_cache

LONGEST_INPUT = 64  # maximum tokens of the input, including the end token (max_input_len of the package)
LONGEST_OUTPUT = 128  # maximum tokens of the output (max_output_len of the package)
BEAMS = 5  # number of beams: the package's default; its evaluation scripts use 1


@dataclass(frozen=True)
class FlanT5Writer:
    """A sequence-to-sequence model of transformers that writes the scene graph of a sentence as text."""

    model: Any  # transformers.T5ForConditionalGeneration
    tokenizer: Any
    name: str
    batch_size: int = 32
    beams: int = BEAMS
    longest_output: int = LONGEST_OUTPUT

    def write(self, captions: Sequence[str]) -> list[str]:
        """Return the scene graph of each caption as text."""
        texts: list[str] = []
        for first in range(0, len(captions), self.batch_size):
            texts += self._write_batch(captions[first : first + self.batch_size])
        return texts

    def tokens_read(self, caption: str) -> TokensRead:
        """Return how many tokens of a sentence the model reads, and how many the sentence has.

        Both numbers include the tokens of the prompt.
        """
        return tokens_read(self.tokenizer, f"{PROMPT} {caption.strip()}", LONGEST_INPUT)

    def _write_batch(self, captions: Sequence[str]) -> list[str]:
        import torch

        prompts = [f"{PROMPT} {caption.strip()}" for caption in captions]
        limits = {"truncation": True, "max_length": LONGEST_INPUT}  # max_length includes the end token
        inputs = self.tokenizer(prompts, padding=True, return_tensors="pt", **limits).to(self.model.device)
        with torch.inference_mode():
            outputs = self.model.generate(
                input_ids=inputs["input_ids"],
                attention_mask=inputs["attention_mask"],
                num_beams=self.beams,
                do_sample=False,
                early_stopping=self.beams > 1,
                max_new_tokens=self.longest_output,
            )
        written: list[str] = self.tokenizer.batch_decode(outputs, skip_special_tokens=True)
        return written


class FactualParser:
    """Ask a model for the scene graph of every sentence, and find the facts' positions in the caption."""

    def __init__(self, writer: FlanT5Writer) -> None:
        """Take the model that writes graphs. Tests pass a fake model."""
        self._writer = writer

    @classmethod
    def load(cls, settings: ModelSettings) -> "FactualParser":
        """Load the parser that `settings` names, from local files. Raises ModelUnavailable if its model is missing."""
        return cls(load_writer(settings))

    @property
    def name(self) -> str:
        """Return e.g. ``flan-t5-base-VG-factual-sg@<revision>``."""
        return self._writer.name

    def phrases(self, captions: Sequence[str]) -> list[tuple[CaptionPhrase, ...]]:
        """Return each caption's facts as phrases, in the order in which the model wrote them.

        A caption that is not English has no facts.
        """
        cut = [_sentences(caption) if may_be_english(caption) else [] for caption in captions]
        asked = [caption[start:end] for caption, spans in zip(captions, cut, strict=True) for start, end in spans]
        written = iter(self._writer.write(asked) if asked else [])
        found = []
        for caption, spans in zip(captions, cut, strict=True):
            first: dict[Fact, CaptionPhrase] = {}
            for start, end in spans:
                caption_words = words(caption, start, end)
                for fact in read_facts(next(written)):
                    first.setdefault(fact, phrase_of(fact, fact_span(fact, caption_words)))
            found.append(tuple(first.values()))
        return found

    def tokens_read(self, caption: str) -> TokensRead:
        """Return how many tokens of a caption's sentences the model reads, and how many the sentences have.

        The tokens of the prompts are included.
        """
        read = [self._writer.tokens_read(caption[start:end]) for start, end in _sentences(caption)]
        return sum(kept for kept, _ in read), sum(there for _, there in read)


def _sentences(caption: str) -> list[tuple[int, int]]:
    return [(start, end) for start, end in sentences(caption) if words(caption, start, end)]


def load_writer(settings: ModelSettings) -> FlanT5Writer:
    """Load the model that `settings` names, or the published model, from local files only.

    Raises ModelUnavailable with the command to run.
    """
    repo = settings.model or FACTUAL.repo
    prepare_torchvision()
    from transformers import AutoTokenizer, T5ForConditionalGeneration

    tokenizer, model = from_cache(AutoTokenizer, repo), from_cache(T5ForConditionalGeneration, repo)
    commit = getattr(model.config, "_commit_hash", None)
    short = repo.rstrip("/").split("/")[-1]
    name = f"{short}@{commit[:12]}" if commit else short
    return FlanT5Writer(model.eval().to(torch_device(settings.device)), tokenizer, name, settings.batch_size)
