"""Talk over HTTP to a vision-language model on another machine.

core.models.vlm.handshake finds out which format of requests the server needs.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from PIL import Image

from core.costs import Usage, summed, timed
from core.errors import NoScore
from core.models.vlm.identity import Identity, check_identity
from core.models.vlm.llava_prompt import Turn
from core.models.vlm.model_server import ModelServer
from core.models.vlm.protocol import Reply
from core.models.vlm.served_answer import reply_of, text_of, was_cut
from core.models.vlm.served_chat import CONTROL_TEXTS, Dialect, answer_body, picture_url, score_body
from core.models.vlm.shared_servers import SharedServers
from core.models.vlm.usage import usage_of
from core.score_reading.score_text import score_is_complete

UNREADABLE = (ValueError, KeyError, IndexError, TypeError, AttributeError)  # errors from answers of an unexpected shape
RECENT = 32  # maximum number of encoded pictures in memory


class EndpointVlm:
    """A model on a server, ready for conversations."""

    def __init__(
        self,
        server: ModelServer | SharedServers,
        dialect: Dialect,
        facts: Mapping[str, str | bool | None],
        identity: Identity | None = None,
        earlier_facts: Mapping[str, str | bool | None] | None = None,
    ) -> None:
        """Take the server, the format of its requests, and facts about its model.

        facts: what the signatures of scores state about the model. identity: the model that all answers must name.
        earlier_facts: the facts as earlier versions of Capscope stated them in signatures.
        """
        self.server, self.dialect, self.facts = server, dialect, facts
        self.identity, self._earlier_facts = identity or Identity(), earlier_facts or facts
        self.control_texts = CONTROL_TEXTS
        self._recent: OrderedDict[bytes, str] = OrderedDict()  # cached pictures; one picture's captions are consecutive

    def signed_as_before(self) -> "EndpointVlm":
        """Return this model with the facts that earlier versions of Capscope used.

        Facts are what the signatures of scores state about a model.
        """
        return EndpointVlm(self.server, self.dialect, self._earlier_facts, self.identity)

    def open(self, images: Sequence[Image.Image], rows: Sequence[int]) -> "EndpointConversations":
        """Start one conversation for each entry of `rows`. Conversation i is about images[rows[i]]."""
        with timed("picture"):
            pictures = [self._picture(image) for image in images]
        return EndpointConversations(self, [pictures[row] for row in rows])

    def _picture(self, image: Image.Image) -> str:
        key = hashlib.sha256(b"%d %d " % image.size + image.tobytes()).digest()
        url = self._recent.get(key)
        if url is None:
            url = self._recent[key] = picture_url(image, self.dialect)
            while len(self._recent) > RECENT:
                self._recent.popitem(last=False)
        return url


class EndpointConversations:
    """Conversations whose requests are sent in parallel. See core.models.vlm.protocol.Conversations."""

    def __init__(self, vlm: EndpointVlm, pictures: Sequence[str]) -> None:
        self._vlm, self._pictures = vlm, list(pictures)
        self._turns: list[list[Turn]] = [[] for _ in pictures]
        self._rows = list(range(len(pictures)))  # conversations that still go on: indices among all conversations
        self.usages: list[Usage | None] = [None] * len(pictures)

    def ask_score(self, texts: Sequence[str]) -> list[Reply | NoScore]:
        """Add a user message to each conversation and request a score.

        If an answer ended before its score was complete, it is requested again with more tokens.
        """
        self._add(texts)
        dialect, rows = self._vlm.dialect, range(len(texts))
        if dialect.sampling is not None:
            return self._sampled(dialect, dialect.sampling.answers)
        answers = self._send(rows, [score_body(dialect, self._turns[row], self._pictures[row]) for row in rows])
        long = [row for row in rows if not isinstance(answers[row], NoScore) and is_unfinished(answers[row])]
        longest = dialect.max_tokens
        again = self._send(long, [score_body(dialect, self._turns[row], self._pictures[row], longest) for row in long])
        answers = [dict(zip(long, again, strict=True)).get(row, answers[row]) for row in rows]
        return [reply_or_problem(answer, dialect) for answer in answers]

    def _sampled(self, dialect: Dialect, answers: int) -> list[Reply | NoScore]:
        """Request several answers to each conversation's last message."""
        rows = [row for row in range(len(self._turns)) for _ in range(answers)]
        bodies = [score_body(dialect, turns, self._pictures[row]) for row, turns in enumerate(self._turns)]
        found = [words_or_problem(one) for one in self._send(rows, [bodies[row] for row in rows])]
        parts = (found[start : start + answers] for start in range(0, len(found), answers))
        return [Reply((), (), sampled=tuple(part)) for part in parts]

    def ask(self, texts: Sequence[str]) -> list[str | NoScore]:
        """Add a user message to each conversation and request the whole answer."""
        self._add(texts)
        pairs = zip(self._turns, self._pictures, strict=True)
        bodies = [answer_body(self._vlm.dialect, turns, picture) for turns, picture in pairs]
        answers = self._send(range(len(texts)), bodies)
        return [words_or_problem(answer) for answer in answers]

    def record(self, answers: Sequence[str]) -> None:
        """Add to each conversation the text that the model will see as its last answer."""
        for turns, answer in zip(self._turns, answers, strict=True):
            turns[-1] = (turns[-1][0], answer)

    def keep(self, rows: Sequence[int]) -> None:
        """Keep only the conversations whose indices are in `rows`, in this order."""
        self._turns = [self._turns[row] for row in rows]
        self._pictures = [self._pictures[row] for row in rows]
        self._rows = [self._rows[row] for row in rows]

    def _add(self, texts: Sequence[str]) -> None:
        for turns, text in zip(self._turns, texts, strict=True):
            turns.append((text, None))

    def _send(self, rows: Sequence[int], bodies: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Send one request for each conversation whose index is in `rows`.

        Counts the tokens and returns the answers.
        """
        answers = self._vlm.server.chat(bodies) if bodies else []
        for row, answer in zip(rows, answers, strict=True):
            if not isinstance(answer, NoScore):
                check_identity(answer, self._vlm.identity, self._vlm.server.url)
                place = self._rows[row]
                self.usages[place] = summed((self.usages[place], usage_of(answer)))
        return answers


def is_unfinished(answer: Any) -> bool:
    """Return whether the answer ended before its score was complete, so more tokens could help."""
    try:
        return was_cut(answer) and not score_is_complete(text_of(answer))
    except UNREADABLE:
        return False


def reply_or_problem(answer: Any, dialect: Dialect) -> Reply | NoScore:
    """Return a server's answer with its score and tokens, or the reason why it has no score."""
    if isinstance(answer, NoScore):
        return answer
    try:
        return reply_of(answer, dialect)
    except UNREADABLE as error:
        return NoScore("refused", f"The server's answer cannot be read: {error}.")


def words_or_problem(answer: Any) -> str | NoScore:
    """Return a server's answer as text, or the reason why there is no text."""
    if isinstance(answer, NoScore):
        return answer
    try:
        return text_of(answer).strip()
    except ValueError as error:
        return NoScore("refused", f"The server's answer cannot be read: {error}.")
