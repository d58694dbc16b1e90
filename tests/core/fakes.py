"""A vision-language model that says what it is told to, and remembers what it was asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from PIL import Image

from core.costs import Usage
from core.models.vlm.protocol import Reply


def certain(character: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """All probability on one digit; none on any for another character."""
    return np.array([float(str(digit) == character) for digit in range(10)])


@dataclass
class FakeVlm:
    """Answers scores and reasons by caption: the first key that occurs in what was asked."""

    scores: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, str | bool | None] = field(default_factory=lambda: {"model": "fake", "dtype": "float32"})
    control_texts: frozenset[str] = frozenset({"</s>", "<image>"})
    opened: list[tuple[int, list[int]]] = field(default_factory=list)  # pictures and rows of every batch
    histories: list[list[str]] = field(default_factory=list)  # every conversation, turns in order

    def open(self, images: Sequence[Image.Image], rows: Sequence[int]) -> "FakeConversations":
        assert all(image.mode == "RGB" for image in images)
        self.opened.append((len(images), list(rows)))
        histories: list[list[str]] = [[] for _ in rows]
        self.histories += histories
        return FakeConversations(self, histories)


@dataclass
class FakeConversations:
    vlm: FakeVlm
    histories: list[list[str]]
    usages: list[Usage | None] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.usages = self.usages or [None] * len(self.histories)

    def ask_score(self, texts: Sequence[str]) -> list[Reply]:
        self._add(texts)
        answers = [self._find(self.vlm.scores, history, "0.5") for history in self.histories]
        return [Reply(tuple(answer), tuple(certain(character) for character in answer)) for answer in answers]

    def ask(self, texts: Sequence[str]) -> list[str]:
        self._add(texts)
        return [self._find(self.vlm.reasons, history, "Because.") for history in self.histories]

    def record(self, answers: Sequence[str]) -> None:
        self._add(answers)

    def keep(self, rows: Sequence[int]) -> None:
        self.histories = [self.histories[row] for row in rows]

    def _add(self, texts: Sequence[str]) -> None:
        assert len(texts) == len(self.histories)
        for history, text in zip(self.histories, texts, strict=True):
            history.append(text)

    @staticmethod
    def _find(answers: Mapping[str, str], history: Sequence[str], default: str) -> str:
        return next((answer for key, answer in answers.items() if key in "\n".join(history)), default)
