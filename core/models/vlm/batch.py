"""Ask a model through files of requests, in OpenAI's batch form for `vllm run-batch` and OpenAI's Batch API.

Questions are the same as over HTTP. A question without an answer in the files becomes a request to write. If the files
have all answers, the conversation ends and the sample has its outcome. A request's id is a hash of the question. So an
answer always belongs to the same question, in every data set and folder.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

from core.costs import Usage, summed
from core.errors import BadFile, BadSetting, NoScore
from core.models import ModelSettings
from core.models.vlm.endpoint import reply_or_problem, words_or_problem
from core.models.vlm.handshake import side_of
from core.models.vlm.identity import Identity, identity_of, public_name
from core.models.vlm.llava_prompt import Turn
from core.models.vlm.protocol import Reply
from core.models.vlm.sampling import check_unsampled
from core.models.vlm.served_chat import CONTROL_TEXTS, LONGEST_SIDE, Dialect, answer_body, picture_url, score_body
from core.models.vlm.usage import usage_of

ADDRESS = "/v1/chat/completions"
# LLaMA's tokens for "0" to "9", which LLaVA-1.5 uses too.
LLAMA_DIGITS = (29900, 29896, 29906, 29941, 29946, 29945, 29953, 29955, 29947, 29929)
SCORE_TOKENS = 64  # larger than for HTTP, because a request file cannot be repeated for one answer
UNANSWERED = NoScore("refused", "The request file has no answer to this request yet.")


# The form of ids in earlier versions: row number in one database, turn, and a hash of the signature.
ROW_ID = re.compile(r"\d+\.(?:score|why)\d*\.[0-9a-f]{8}")
NAMED = 5  # maximum unused answers in a report


def request_id(turn: str, facts: Mapping[str, str | bool | None], body: Mapping[str, Any]) -> str:
    """Return a request's id: the turn and a hash of the question.

    body: the request, with the SHA-256 of the picture's file in place of the picture.
    """
    question = {name: fact for name, fact in facts.items() if name != "revision"} | {"model": body["model"]}
    asked = json.dumps([question, body], sort_keys=True)
    return f"{turn}-{hashlib.sha256(asked.encode()).hexdigest()[:40]}"


class Place(NamedTuple):
    """The position of an answer in the files."""

    file: Path
    start: int  # byte offset of the answer's line
    line: int  # from 1


@dataclass(frozen=True, slots=True)
class Unused:
    """Answers that no sample used."""

    count: int = 0
    examples: tuple[str, ...] = ()  # file, line and id of the first unused answers


class Answers:
    """Answers in files, accessed by their requests' ids. Only one answer is in memory at a time.

    If a request has several answers, the first is used. An answer replaces an error.
    """

    def __init__(self, files: Sequence[Path] = ()) -> None:
        """Read the files once. Raises BadFile for a file without answers or with ids of an earlier version."""
        self._places: dict[str, Place] = {}
        self._failed, self._used, self._counted = set[str](), set[str](), set[str]()
        self._repeated: list[str] = []
        self._repeats = 0
        self.models: Counter[Identity] = Counter()  # number of answers; key: the model in the answer
        self.broken: dict[Path, int] = {}  # number of unreadable lines, such as an incomplete last line; key: file
        for path in files:
            self._index(path)

    def get(self, name: str) -> Any:
        """Return the answer's body; None if there is no answer.

        If the server reported an error, returns a NoScore with its message.
        """
        if name not in self._places:
            return None
        self._used.add(name)
        place = self._places[name]
        with place.file.open("rb") as file:
            file.seek(place.start)
            return _body_or_problem(json.loads(file.readline()))

    def usage(self, name: str, body: Any) -> Usage | None:
        """Return the number of tokens of an answer.

        Returns None if they were already counted for another sample with the same question.
        """
        if name in self._counted:
            return None
        self._counted.add(name)
        return usage_of(body)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def unused(self) -> int:
        """Number of answers that no sample has used so far."""
        return len(self._places) - len(self._used)

    @property
    def repeated(self) -> Unused:
        """Additional answers to requests that already have an answer."""
        return Unused(self._repeats, tuple(self._repeated))

    @property
    def foreign(self) -> Unused:
        """Answers that no sample has used so far."""
        left = ((name, place) for name, place in self._places.items() if name not in self._used)
        return Unused(self.unused, tuple(_named(name, place) for name, place in islice(left, NAMED)))

    def _index(self, path: Path) -> None:
        count = start = 0
        with path.open("rb") as file:
            for number, text in enumerate(file, 1):
                place, start = Place(path, start, number), start + len(text)
                try:
                    line = json.loads(text)
                    name = line["custom_id"]
                    hash(name)
                except (ValueError, KeyError, TypeError, RecursionError):
                    self.broken[path] = self.broken.get(path, 0) + bool(text.strip())
                    continue
                if ROW_ID.fullmatch(str(name)):
                    raise BadFile(
                        path,
                        f"line {number} has the id {name!r} of an earlier version. Such ids are row numbers and may "
                        "mean other captions here, so nothing was read. Write new requests with --to-requests and "
                        "run these.",
                    )
                count += 1
                body = _body_or_problem(line)
                self._add(str(name), place, isinstance(body, NoScore))
                if not isinstance(body, NoScore):
                    self.models[identity_of(body)] += 1
        if not count:
            raise BadFile(path, 'each line must be a JSON object with "custom_id" and "response", found none')

    def _add(self, name: str, place: Place, failed: bool) -> None:
        earlier = self._places.get(name)
        if earlier is None or (name in self._failed and not failed):
            self._places[name], unused = place, earlier
            (self._failed.add if failed else self._failed.discard)(name)
        else:
            unused = place
        if unused is not None:
            self._repeats += 1
            self._repeated += [_named(name, unused)] if len(self._repeated) < NAMED else []


def _named(name: str, place: Place) -> str:
    return f"{place.file.name}, line {place.line}: {name[:80]}"


def _body_or_problem(line: Mapping[str, Any]) -> Any:
    """Return the response body in an answer's line, or a NoScore with the server's error message."""
    response = line.get("response")
    response = response if isinstance(response, Mapping) else {}
    body = response.get("body")
    body = body if isinstance(body, Mapping) else {"error": body}
    if line.get("error") or response.get("status_code", 200) != 200 or "choices" not in body:
        error = line.get("error") or body.get("error") or body
        words = error.get("message", error) if isinstance(error, Mapping) else error
        return NoScore("refused", f"The server refused: {' '.join(str(words).split())[:300]}")
    return body


@dataclass(frozen=True, slots=True)
class Request:
    """A question without an answer."""

    name: str
    body: Callable[[], Mapping[str, Any]]  # function that encodes the picture when it is called

    def line(self) -> str:
        """Return the request as a line of a file, with its line end."""
        asked = {"custom_id": self.name, "method": "POST", "url": ADDRESS, "body": self.body()}
        return json.dumps(asked, ensure_ascii=False) + "\n"


class BatchVlm:
    """A model that answers one sample's questions through files. `pending` lists requests without an answer."""

    def __init__(
        self,
        dialect: Dialect,
        facts: Mapping[str, str | bool | None],
        picture: str = "",
        answers: Answers | None = None,
    ) -> None:
        """Take the form of requests, the signature's facts and the answers.

        picture: the SHA-256 of the sample's picture file.
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
        """Return the answer to a request, or UNANSWERED.

        body: builds the request from the picture's address.
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
    """A conversation whose answers may be missing. See core.models.vlm.protocol.Conversations."""

    def __init__(self, vlm: BatchVlm, image: Image.Image) -> None:
        self._vlm, self._image = vlm, image
        self._turns: list[Turn] = []

    @property
    def usages(self) -> list[Usage | None]:
        """The numbers of tokens of the answers so far."""
        return [self._vlm.usage]

    def ask_score(self, texts: Sequence[str]) -> list[Reply | NoScore]:
        """Add a user turn and look up its score."""
        dialect = self._add(texts)
        turns = tuple(self._turns)
        answer = self._vlm.answered(
            "score", lambda picture: score_body(dialect, turns, picture, SCORE_TOKENS), self._image
        )
        return [reply_or_problem(answer, dialect)]

    def ask(self, texts: Sequence[str]) -> list[str | NoScore]:
        """Add a user turn and look up the answer as text."""
        dialect = self._add(texts)
        turns = tuple(self._turns)
        answer = self._vlm.answered("why", lambda picture: answer_body(dialect, turns, picture), self._image)
        return [words_or_problem(answer)]

    def record(self, answers: Sequence[str]) -> None:
        """Record the text that counts as the assistant's last answer."""
        self._turns[-1] = (self._turns[-1][0], answers[0])

    def keep(self, rows: Sequence[int]) -> None:
        """Do nothing: there is only one conversation."""

    def _add(self, texts: Sequence[str]) -> Dialect:
        (text,) = texts
        self._turns.append((text, None))
        return self._vlm.dialect


def batch_vlm(settings: ModelSettings, model: str, integers: bool) -> BatchVlm:
    """Return a model that answers through files.

    model: the model's name on the server. integers: ask for whole numbers, as general judges do. Raises BadSetting.
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
