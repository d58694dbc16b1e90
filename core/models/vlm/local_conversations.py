"""Messages and answers of conversations with a model on this computer."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from core.costs import Usage
from core.models.vlm.llava_prompt import Turn
from core.models.vlm.protocol import Reply
from core.score_reading.score_text import score_is_complete


class LocalConversations(ABC):
    """Parallel conversations with a model on this computer; see core.models.vlm.protocol.Conversations."""

    def __init__(self, count: int) -> None:
        self._turns: list[list[Turn]] = [[] for _ in range(count)]
        self.usages: Sequence[Usage | None] = [None] * count

    def ask_score(self, texts: Sequence[str]) -> list[Reply]:
        """Add a user message to each conversation and generate until the score is complete or the answer ends."""
        return self._asked(texts, score_is_complete)

    def ask(self, texts: Sequence[str]) -> list[str]:
        """Add a user message to each conversation and generate the whole answer."""
        return ["".join(reply.pieces).strip() for reply in self._asked(texts, None)]

    def record(self, answers: Sequence[str]) -> None:
        """Add to each conversation the text that the model will see as its last answer."""
        for turns, answer in zip(self._turns, answers, strict=True):
            turns[-1] = (turns[-1][0], answer)

    def _asked(self, texts: Sequence[str], complete: Callable[[str], bool] | None) -> list[Reply]:
        for turns, text in zip(self._turns, texts, strict=True):
            turns.append((text, None))
        return self._answers(complete)

    @abstractmethod
    def _answers(self, complete: Callable[[str], bool] | None) -> list[Reply]:
        """Return the answer to each conversation's last message."""
