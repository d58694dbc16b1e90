"""Labels are read as captions, each once."""

from collections.abc import Sequence

from core.captions.reading.facts import Fact
from core.captions.reading.phrases import CaptionPhrase
from core.models.hice import LabelReader


class Counting:
    name = "counting"

    def __init__(self) -> None:
        self.read: list[str] = []

    def tokens_read(self, caption: str) -> tuple[int, int]:
        return 0, 0

    def phrases(self, captions: Sequence[str]) -> list[tuple[CaptionPhrase, ...]]:
        self.read += captions
        return [(CaptionPhrase(text, (0, 1), "entity", Fact(text)),) for text in captions]


def test_labels_of_several_words_are_read_once_and_single_words_never(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    parser = Counting()
    reader = LabelReader(parser)
    assert list(reader(["black tie", "dog"])) == ["black tie"]
    assert [phrase.text for phrase in reader(["blue bus", "black tie"])["black tie"]] == ["black tie"]
    assert parser.read == ["black tie", "blue bus"]
