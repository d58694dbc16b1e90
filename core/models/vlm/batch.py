"""Ask a model through files of requests, in OpenAI's batch format for `vllm run-batch` and OpenAI's Batch API.

The questions are the same as over HTTP. If the files have no answer to a question, a request with this question is
written to a new file. If the files have all answers, the conversation ends and the sample gets its outcome. A request's
id is a hash of the question. So the same question always has the same id, in every data set and folder.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PIL import Image

from core.costs import Usage, summed
from core.errors import BadSetting, NoScore
from core.models import ModelSettings
from core.models.vlm.batch_answers import Answers
from core.models.vlm.endpoint import reply_or_problem, words_or_problem
from core.models.vlm.handshake import side_of
from core.models.vlm.identity import Identity, identity_of, public_name
from core.models.vlm.llava_prompt import Turn
from core.models.vlm.protocol import Reply
from core.models.vlm.sampling import check_unsampled
from core.models.vlm.served_chat import CONTROL_TEXTS, LONGEST_SIDE, Dialect, answer_body, picture_url, score_body

ADDRESS = "/v1/chat/completions"
# Ids of the tokens "0" to "9" in LLaMA, which LLaVA-1.5 uses too.
LLAMA_DIGITS = (29900, 29896, 29906, 29941, 29946, 29945, 29953, 29955, 29947, 29929)
SCORE_TOKENS = 64  # maximum tokens of a score; over HTTP fewer are enough, because a longer answer is requested again
UNANSWERED = NoScore("refused", "The request file has no answer to this request yet.")


def request_id(turn: str, facts: Mapping[str, str | bool | None], body: Mapping[str, Any]) -> str:
    """Return a request's id: the turn (message number) and a hash of the question.

    facts: what the signature of the scores states about the model. body: the request, with the SHA-256 of the picture's
    file in place of the picture.
    """
    question = {name: fact for name, fact in facts.items() if name != "revision"} | {"model": body["model"]}
    asked = json.dumps([question, body], sort_keys=True)
    return f"{turn}-{hashlib.sha256(asked.encode()).hexdigest()[:40]}"


@dataclass(frozen=True, slots=True)
class Request:
    """A question that has no answer in the files yet."""

    name: str
    body: Callable[[], Mapping[str, Any]]  # function that encodes the picture when it is called

    def line(self) -> str:
        """Return the request as a line of a file, with its line end."""
        asked = {"custom_id": self.name, "method": "POST", "url": ADDRESS, "body": self.body()}
        return json.dumps(asked, ensure_ascii=False) + "\n"


class BatchVlm:
    """A model that answers questions about one sample through files.

    `pending` lists the requests without an answer.
    """

    def __init__(
        self,
        dialect: Dialect,
        facts: Mapping[str, str | bool | None],
        picture: str = "",
        answers: Answers | None = None,
    ) -> None:
        """Make a model that answers questions about one sample from files.

        dialect: the format of requests. facts: what the signature (the score's record of settings) says about the
        model. picture: the SHA-256 of the sample's picture file. answers: the answers in the files; None: no answers.
        """
        self.dialect, self.facts = dialect, facts
        self.control_texts = CONTROL_TEXTS
        self.pending: list[Request] = []
        self.answered_by: set[Identity] = set()
        self.usage: Usage | None = None
        self._picture, self._answers = picture, answers or Answers()

    def open(self, images: Sequence[Image.Image], rows: Sequence[int]) -> "BatchConversation":
        """Start the conversation about the sample's picture."""
        (row,) = rows
        return BatchConversation(self, images[row])

    def answered(self, turn: str, body: Callable[[str], Mapping[str, Any]], image: Image.Image) -> Any:
        """Return the answer to a request, or UNANSWERED if the files have no answer.

        turn: the message's number. body: builds the request from the picture's address.
        """
        name = request_id(turn, self.facts, body(f"sha256:{self._picture}"))
        answer = self._answers.get(name)
        if answer is None:
            self.pending.append(Request(name, lambda: body(picture_url(image, self.dialect))))
            return UNANSWERED
        if not isinstance(answer, NoScore):
            self.answered_by.add(identity_of(answer))
            self.usage = summed((self.usage, self._answers.usage(name, answer)))
        return answer


class BatchConversation:
    """A conversation that looks its answers up in files. Some answers may be missing.

    See core.models.vlm.protocol.Conversations.
    """

    def __init__(self, vlm: BatchVlm, image: Image.Image) -> None:
        self._vlm, self._image = vlm, image
        self._turns: list[Turn] = []

    @property
    def usages(self) -> list[Usage | None]:
        """The total number of tokens of all answers so far, as a list with one entry."""
        return [self._vlm.usage]

    def ask_score(self, texts: Sequence[str]) -> list[Reply | NoScore]:
        """Add the text as the user's message, and look up the score in the model's answer."""
        dialect = self._add(texts)
        turns = tuple(self._turns)
        answer = self._vlm.answered(
            "score", lambda picture: score_body(dialect, turns, picture, SCORE_TOKENS), self._image
        )
        return [reply_or_problem(answer, dialect)]

    def ask(self, texts: Sequence[str]) -> list[str | NoScore]:
        """Add the text as the user's message, and look up the model's answer as text."""
        dialect = self._add(texts)
        turns = tuple(self._turns)
        answer = self._vlm.answered("why", lambda picture: answer_body(dialect, turns, picture), self._image)
        return [words_or_problem(answer)]

    def record(self, answers: Sequence[str]) -> None:
        """Add the text that the model will see as its last answer.

        It can be a corrected version of the real answer.
        """
        self._turns[-1] = (self._turns[-1][0], answers[0])

    def keep(self, rows: Sequence[int]) -> None:
        """Do nothing, because there is only one conversation to keep."""

    def _add(self, texts: Sequence[str]) -> Dialect:
        (text,) = texts
        self._turns.append((text, None))
        return self._vlm.dialect


def batch_vlm(settings: ModelSettings, model: str, integers: bool) -> BatchVlm:
    """Return a model that answers through files.

    model: the model's name on the server. integers: whether to ask for whole numbers, as general judges do. Raises
    BadSetting.
    """
    check_unsampled(settings.options, "scoring by a request file")
    chat = integers or settings.options.get("template") == "chat"
    if chat and not integers:
        raise BadSetting(
            "Request files support only LLaVA-1.5, because its digit tokens are known. For another model use "
            "--endpoint."
        )
    dialect = Dialect(
        model,
        "chat" if chat else "llava_v1",
        "integers" if integers else "exact",
        () if integers else LLAMA_DIGITS,
        side=side_of(settings.options.get("side", "")),
        doubled_end=settings.strict_reference,
    )
    if settings.options.get("top") == "5":
        dialect = replace(dialect, top=5, reported=5)
    if settings.options.get("gaps") == "yes":
        dialect = replace(dialect, gaps=(" ", " "))
    facts: dict[str, str | bool | None] = {
        "engine": "batch",
        "model": public_name(model).name,
        "digits": dialect.signed_digits,
        "template": dialect.template,
        "pixels": f"longest{LONGEST_SIDE}-webp" if chat else f"pad{dialect.side}-webp",
        "tokens": "server" if chat else "untold",
        "gaps": "yes" if dialect.gaps[0] else None,
    }
    if (revision := public_name(model).revision) is not None:
        facts["revision"] = revision
    return BatchVlm(dialect, facts)
