from collections.abc import Sequence
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

from core.captions.reading.facts import Fact
from core.models import ModelSettings
from core.models.factual import LONGEST_INPUT, FactualParser

WORDS = "generate scene graph : a b c d e f g man dog hat red wear on ( ) ,".split()


class FakeParser(FactualParser):
    """Writes what it is told for each sentence."""

    def __init__(self, graphs: dict[str, str]) -> None:
        self.graphs, self.asked = graphs, list[str]()

    def write(self, sentences: Sequence[str]) -> list[str]:
        self.asked += sentences
        return [self.graphs[sentence] for sentence in sentences]


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    vocabulary = {
        word: index for index, word in enumerate(["<pad>", "</s>", "<unk>", "Generate", "Scene", "Graph", *WORDS])
    }
    backend = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    backend.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    return PreTrainedTokenizerFast(
        tokenizer_object=backend, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", padding_side="right"
    )


@pytest.fixture(scope="module")
def model(tokenizer: Any) -> Any:
    torch.manual_seed(3)
    config = T5Config(
        vocab_size=len(tokenizer), d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2,
        decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, feed_forward_proj="gated-gelu",
    )  # fmt: skip
    made = T5ForConditionalGeneration(config).eval()
    with torch.no_grad():
        for weight in made.parameters():
            weight.mul_(3.0)  # far from ties between words
    return made


class Recording:
    """A model that notes its inputs and writes nothing."""

    device = "cpu"

    def __init__(self) -> None:
        self.inputs: list[torch.Tensor] = []

    def generate(self, input_ids: torch.Tensor, **_: Any) -> torch.Tensor:
        self.inputs.append(input_ids)
        return torch.zeros((len(input_ids), 1), dtype=torch.long)


CAPTIONS = ["man wear hat", "a b c d e f g a b c d e f g", "dog", "red dog on man", "a man", "hat on dog on man on hat"]


@pytest.mark.parametrize("batch_size", [1, 4, 32])
def test_the_model_writes_the_same_whatever_the_batches(model: Any, tokenizer: Any, batch_size: int) -> None:
    writer = FactualParser(model, tokenizer, "tiny", batch_size)
    writer.beams, writer.longest_output = 3, 8
    alone = [writer.write([caption])[0] for caption in CAPTIONS]
    assert writer.write(CAPTIONS) == alone
    assert len(set(alone)) > 1


def test_captions_are_cut_at_the_limit_and_the_longest_of_a_batch_keeps_its_last_word(tokenizer: Any) -> None:
    recording = Recording()
    parser = FactualParser(recording, tokenizer, "tiny")
    parser.write(["man wear hat", "dog"])
    longest = tokenizer.convert_ids_to_tokens(recording.inputs[0][0])
    assert longest == ["Generate", "Scene", "Graph", ":", "man", "wear", "hat", "</s>"]
    parser.write([" ".join(["dog"] * 200)])
    assert recording.inputs[1].shape == (1, LONGEST_INPUT)
    assert recording.inputs[1][0, -1] == tokenizer.eos_token_id


def test_sentences_are_parsed_apart_and_merged_with_their_places() -> None:
    caption = "A man wears a hat. The man wears a red hat."
    parser = FakeParser(
        {
            "A man wears a hat.": "( man , wear , hat )",
            "The man wears a red hat.": "( man , wear , hat ) , ( hat , is , red )",
        }
    )
    ((first, second),) = parser.phrases([caption])
    assert (first.fact, second.fact) == (Fact("man", "wear", "hat"), Fact("hat", "is", "red"))
    assert caption[slice(*first.span)] == "man wears a hat"
    assert caption[slice(*second.span)] == "red hat"


def test_captions_without_words_ask_nothing_and_have_no_phrases() -> None:
    parser = FakeParser({})
    assert parser.phrases(["", "  ", "..."]) == [(), (), ()]
    assert parser.asked == []


def test_a_saved_model_is_loaded_from_its_folder(model: Any, tokenizer: Any, tmp_path: Any) -> None:
    model.save_pretrained(tmp_path / "tiny-sg")
    tokenizer.save_pretrained(tmp_path / "tiny-sg")
    parser = FactualParser.load(ModelSettings(model=str(tmp_path / "tiny-sg"), device="cpu"))
    assert parser.name.startswith("tiny-sg@")
    parser.longest_output = 4
    assert len(parser.write(["man wear hat"])) == 1
