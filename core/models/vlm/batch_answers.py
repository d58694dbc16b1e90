"""The answers in files of batch services. Each answer is found by the id of its request."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from core.costs import Usage
from core.errors import BadFile, NoScore
from core.models.vlm.identity import Identity, identity_of
from core.models.vlm.usage import usage_of

# Ids of answers in earlier versions: number of the database row, "score" or "why", and a hash of the signature.
ROW_ID = re.compile(r"\d+\.(?:score|why)\d*\.[0-9a-f]{8}")
NAMED = 5  # maximum number of unused answers in a report


class Place(NamedTuple):
    """The position of an answer in the files."""

    file: Path
    start: int  # byte offset of the answer's line
    line: int  # from 1


@dataclass(frozen=True, slots=True)
class Unused:
    """Answers in the files that no sample used."""

    count: int = 0
    examples: tuple[str, ...] = ()  # of the first unused answers: each text names file, line and id


class Answers:
    """Answers in files, found by their requests' ids. Only one answer is in memory at a time.

    If a request has several answers, the first is used. But if one of them is an error, a real answer is preferred.
    """

    def __init__(self, files: Sequence[Path] = ()) -> None:
        """Read the files once to find the answers.

        Raises BadFile for a file without answers. Also raises BadFile if a request's id is from an earlier version of
        Capscope.
        """
        self._places: dict[str, Place] = {}
        self._failed, self._used, self._counted = set[str](), set[str](), set[str]()
        self._repeated: list[str] = []
        self._repeats = 0
        self.models: Counter[Identity] = Counter()  # key: the model named in an answer; value: number of answers
        self.broken: dict[Path, int] = {}  # number of unreadable lines, such as an incomplete last line; key: file
        for path in files:
            self._index(path)

    def get(self, name: str) -> Any:
        """Return the body of the answer to a request; None if there is no answer.

        name: the request's id. If the server reported an error, returns a NoScore with its message.
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

        Returns None if the tokens were already counted, because another sample has the same question.
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
        """Answers to requests that already have an earlier answer in the files."""
        return Unused(self._repeats, tuple(self._repeated))

    @property
    def foreign(self) -> Unused:
        """Answers to requests that no sample has made so far."""
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
                        f"line {number} has the id {name!r}, which an earlier version of Capscope wrote. Such "
                        "ids are row numbers and may stand for other captions now, so nothing was read. Write new "
                        "requests with --to-requests and run these.",
                    )
                count += 1
                body = _body_or_problem(line)
                self._add(str(name), place, isinstance(body, NoScore))
                if not isinstance(body, NoScore):
                    self.models[identity_of(body)] += 1
        if not count:
            raise BadFile(path, 'each line must be a JSON object with "custom_id" and "response", found no such line')

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
    """Return the response body in one line of an answer file, or a NoScore with the server's error message."""
    response = line.get("response")
    response = response if isinstance(response, Mapping) else {}
    body = response.get("body")
    body = body if isinstance(body, Mapping) else {"error": body}
    if line.get("error") or response.get("status_code", 200) != 200 or "choices" not in body:
        error = line.get("error") or body.get("error") or body
        words = error.get("message", error) if isinstance(error, Mapping) else error
        return NoScore("refused", f"The server refused: {' '.join(str(words).split())[:300]}")
    return body
