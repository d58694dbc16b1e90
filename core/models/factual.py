"""Extract facts with FACTUAL's parser (Li et al. 2023), through the library transformers.

The parser is flan-t5, fine-tuned on the FACTUAL corpus. The published code, zhuang-li/FactualSceneGraph, sometimes
loses words or facts. This module avoids that, so it differs from the published code. The length limit includes the end
token, so the longest caption of a batch keeps its last word. Facts keep their order of mention. A caption of several
sentences is parsed sentence by sentence, and the facts are merged.
"""

from collections.abc import Sequence
from typing import Any

from core.captions.english import may_be_english
from core.captions.reading.facts import PROMPT, Fact, read_facts
from core.captions.reading.phrases import CaptionPhrase, phrase_of
from core.captions.reading.spans import fact_span
from core.captions.reading.words import sentences, words
from core.models import ModelSettings
from core.models.checkpoints import FACTUAL
from core.models.device import prepare_torchvision, torch_device
from core.models.weights import find_weights, pretrained

LONGEST_INPUT = 64  # maximum tokens of the input, including the end token (max_input_len of the package)
LONGEST_OUTPUT = 128  # maximum tokens of the output (max_output_len of the package)
BEAMS = 5  # number of beams: the package's default; its evaluation scripts use 1


class FactualParser:
    """Ask flan-t5 for the scene graph of every sentence, and find the facts' positions in the caption."""

    def __init__(self, model: Any, tokenizer: Any, name: str, batch_size: int = 32) -> None:
        """Take a T5ForConditionalGeneration. name: e.g. ``flan-t5-base-VG-factual-sg@<revision>``."""
        self._model, self._tokenizer, self.name, self._batch_size = model, tokenizer, name, batch_size
        self.beams, self.longest_output = BEAMS, LONGEST_OUTPUT

    @classmethod
    def load(cls, settings: ModelSettings) -> "FactualParser":
        """Load the parser that `settings` names, or the published one. Raises ModelUnavailable."""
        weights = find_weights(settings.model or FACTUAL.repo, "HICE-S")
        prepare_torchvision()
        from transformers import AutoTokenizer, T5ForConditionalGeneration

        model, tokenizer = pretrained(T5ForConditionalGeneration, weights), pretrained(AutoTokenizer, weights)
        name = weights.signed.rpartition("/")[2]
        return cls(model.eval().to(torch_device(settings.device)), tokenizer, name, settings.batch_size)

    def phrases(self, captions: Sequence[str]) -> list[tuple[CaptionPhrase, ...]]:
        """Return each caption's facts as phrases, in the order in which the model wrote them.

        A caption that is not English has no facts.
        """
        cut = [_sentences(caption) if may_be_english(caption) else [] for caption in captions]
        asked = [caption[start:end] for caption, spans in zip(captions, cut, strict=True) for start, end in spans]
        written = iter(self.write(asked) if asked else [])
        found = []
        for caption, spans in zip(captions, cut, strict=True):
            first: dict[Fact, CaptionPhrase] = {}
            for start, end in spans:
                caption_words = words(caption, start, end)
                for fact in read_facts(next(written)):
                    first.setdefault(fact, phrase_of(fact, fact_span(fact, caption_words)))
            found.append(tuple(first.values()))
        return found

    def write(self, sentences: Sequence[str]) -> list[str]:
        """Return the scene graph of each sentence as text."""
        import torch

        texts: list[str] = []
        limits = {"truncation": True, "max_length": LONGEST_INPUT}  # max_length includes the end token
        for first in range(0, len(sentences), self._batch_size):
            prompts = [f"{PROMPT} {sentence.strip()}" for sentence in sentences[first : first + self._batch_size]]
            inputs = self._tokenizer(prompts, padding=True, return_tensors="pt", **limits).to(self._model.device)
            with torch.inference_mode():
                outputs = self._model.generate(
                    input_ids=inputs["input_ids"],
                    attention_mask=inputs["attention_mask"],
                    num_beams=self.beams,
                    do_sample=False,
                    early_stopping=self.beams > 1,
                    max_new_tokens=self.longest_output,
                )
            texts += self._tokenizer.batch_decode(outputs, skip_special_tokens=True)
        return texts


def _sentences(caption: str) -> list[tuple[int, int]]:
    return [(start, end) for start, end in sentences(caption) if words(caption, start, end)]
