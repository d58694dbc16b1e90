"""Asking a model by files: the requests of OpenAI's batch form, which `vllm run-batch` and OpenAI's Batch API read.

A conversation asks as over HTTP. What is not among the answers that came back is noted as a request to be written;
where all is there, the conversation runs through and the sample has its outcome. Nothing is kept between two rounds but
the files themselves, so any of them can be taken in again.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image

from core.errors import BadFile, BadSetting, NoScore
from core.models import ModelSettings
from core.models.vlm.endpoint import reply_or_problem, words_or_problem
from core.models.vlm.handshake import side_of
from core.models.vlm.llava_prompt import Turn
from core.models.vlm.protocol import Reply
from core.models.vlm.served_chat import CONTROL_TEXTS, LONGEST_SIDE, Dialect, answer_body, picture_url, score_body

ADDRESS = "/v1/chat/completions"
# LLaMA's tokens for "0" to "9", which LLaVA-1.5 shares.
LLAMA_DIGITS = (29900, 29896, 29906, 29941, 29946, 29945, 29953, 29955, 29947, 29929)
SCORE_TOKENS = 64  # there is no asking again
UNANSWERED = NoScore("refused", "There is no answer to this request yet.")


class Answers:
    """Answers in files, found by their requests' ids; of two to one request the later counts. Only one is in memory."""

    def __init__(self, files: Sequence[Path] = ()) -> None:
        """Look through the files. Raises BadFile for one that holds no answers at all."""
        self._places: dict[str, tuple[Path, int]] = {}  # file and byte at which the line begins
        self.broken: dict[Path, int] = {}  # lines that cannot be read, such as the last one of a file that was cut
        for path in files:
            self._index(path)

    def get(self, name: str) -> Any:
        """Return the answer's body, a NoScore with its words where it is an error, None where there is none."""
        if name not in self._places:
            return None
        path, place = self._places[name]
        with path.open("rb") as file:
            file.seek(place)
            line = json.loads(file.readline())
        response = line.get("response") or {}
        body = response.get("body") or {}
        if line.get("error") or response.get("status_code", 200) != 200 or "choices" not in body:
            said = line.get("error") or body.get("error") or body
            words = said.get("message", said) if isinstance(said, Mapping) else said
            return NoScore("refused", f"The server refused: {' '.join(str(words).split())[:300]}")
        return body

    def __len__(self) -> int:
        return len(self._places)

    def _index(self, path: Path) -> None:
        found = place = 0
        with path.open("rb") as file:
            for line in file:
                try:
                    self._places[json.loads(line)["custom_id"]] = (path, place)
                    found += 1
                except (ValueError, KeyError, TypeError):
                    self.broken[path] = self.broken.get(path, 0) + bool(line.strip())
                place += len(line)
        if not found:
            raise BadFile(path, 'expected a JSON object with "custom_id" and "response" on each line, found none')


class BatchVlm:
    """A model that answers by files, for one sample. What it could not be asked stands in `pending`."""

    def __init__(
        self,
        dialect: Dialect,
        facts: Mapping[str, str | bool | None],
        sample: str = "",
        mark: str = "",
        answers: Answers | None = None,
    ) -> None:
        """sample and mark: what its requests' ids begin and end with."""
        self.dialect, self.facts = dialect, facts
        self.control_texts = CONTROL_TEXTS
        self.pending: list[dict[str, Any]] = []
        self._sample, self._mark, self._answers = sample, mark, answers or Answers()
        self._opened = 0

    def open(self, images: Sequence[Image.Image], rows: Sequence[int]) -> "BatchConversation":
        """Begin the conversation about the sample's picture."""
        self._opened += 1
        (row,) = rows
        return BatchConversation(self, picture_url(images[row], self.dialect), self._opened)

    def answered(self, turn: str, body: Mapping[str, Any]) -> Any:
        """Return the answer to a request, UNANSWERED where there is none yet."""
        name = f"{self._sample}.{turn}.{self._mark}"
        found = self._answers.get(name)
        if found is None:
            self.pending.append({"custom_id": name, "method": "POST", "url": ADDRESS, "body": body})
            return UNANSWERED
        return found


class BatchConversation:
    """A conversation, of which some answers may not be there yet; see core.models.vlm.protocol.Conversations."""

    def __init__(self, vlm: BatchVlm, picture: str, number: int) -> None:
        self._vlm, self._picture = vlm, picture
        self._turns: list[Turn] = []
        self._number = "" if number == 1 else str(number)

    def ask_score(self, texts: Sequence[str]) -> list[Reply | NoScore]:
        """Add a user turn and look for the score."""
        dialect = self._add(texts)
        body = score_body(dialect, self._turns, self._picture, SCORE_TOKENS)
        return [reply_or_problem(self._vlm.answered(f"score{self._number}", body), dialect)]

    def ask(self, texts: Sequence[str]) -> list[str | NoScore]:
        """Add a user turn and look for the answer in words."""
        body = answer_body(self._add(texts), self._turns, self._picture)
        return [words_or_problem(self._vlm.answered(f"why{self._number}", body))]

    def record(self, answers: Sequence[str]) -> None:
        """Put down what the assistant is taken to have said to the last question."""
        self._turns[-1] = (self._turns[-1][0], answers[0])

    def keep(self, rows: Sequence[int]) -> None:
        """There is one conversation, and it stays."""

    def _add(self, texts: Sequence[str]) -> Dialect:
        (text,) = texts
        self._turns.append((text, None))
        return self._vlm.dialect


def batch_vlm(settings: ModelSettings, model: str, integers: bool) -> BatchVlm:
    """Return a model that will answer by files. model: as the server names it; integers: as a general judge asks.

    Raises BadSetting.
    """
    chat = integers or settings.options.get("template") == "chat"
    if chat and not integers:
        raise BadSetting("expected LLaVA-1.5, whose digits are known; ask another model over --endpoint.")
    dialect = Dialect(
        model,
        "chat" if chat else "llava_v1",
        "integers" if integers else "exact",
        () if integers else LLAMA_DIGITS,
        side=side_of(settings.options.get("side", "")),
        doubled_end=settings.strict_reference,
    )
    if settings.options.get("gaps") == "yes":
        dialect = replace(dialect, gaps=(" ", " "))
    facts = {
        "engine": "batch",
        "model": model,
        "digits": dialect.digits,
        "template": dialect.template,
        "pixels": f"longest{LONGEST_SIDE}-webp" if chat else f"pad{dialect.side}-webp",
        "tokens": "server" if chat else "untold",
        "gaps": "yes" if dialect.gaps[0] else None,
    }
    return BatchVlm(dialect, facts)
