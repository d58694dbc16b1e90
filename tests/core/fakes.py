"""A vision-language model that says what it is told to, and an encoder that counts letters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.models.vlm import Chat, Reply
from core.regions.protocols import Features
from core.types import ImageRef, ImageRegion


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
    calls: list[list[int]] = field(default_factory=list)  # for each call, which of its pictures each chat is about
    histories: list[list[str]] = field(default_factory=list)  # every conversation, turns in order
    in_digits: bool = True  # False: a score is one piece without probabilities

    def answers(self, chats: Sequence[Chat], scored: bool) -> list[Reply]:
        assert all(chat.image.mode == "RGB" for chat in chats)
        pictures = list(dict.fromkeys(id(chat.image) for chat in chats))
        self.calls.append([pictures.index(id(chat.image)) for chat in chats])
        return [self._answer(chat, scored) for chat in chats]

    def _answer(self, chat: Chat, scored: bool) -> Reply:
        said = [text for turn in chat.turns for text in turn if text is not None]
        begun = [history for history in self.histories if len(said) > 1 and history == said[:1]]
        if begun:
            begun[0][:] = said
        else:
            self.histories.append(said)
        answers, default = (self.scores, "0.5") if scored else (self.reasons, "Because.")
        answer = next((answer for key, answer in answers.items() if key in "\n".join(said)), default)
        if not scored or not self.in_digits:
            return Reply((answer.strip(),))
        return Reply(tuple(answer), tuple(map(certain, answer)))


class LetterEncoder:
    """Counts letters: equal words are alike, words without a letter in common are not."""

    name, weight = "letters", 1.0

    def encode_regions(self, image: ImageRef, regions: Sequence[ImageRegion]) -> Features:
        return self.encode_texts(["dog cat" if region.is_full else region.label or "" for region in regions])

    def encode_texts(self, texts: Sequence[str]) -> Features:
        rows = np.array([[1e-9 + text.count(chr(letter)) for letter in range(97, 123)] for text in texts])
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)
