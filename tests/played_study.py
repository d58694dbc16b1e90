"""A study played to its end over HTTP by raters who do not exist: some leave, cheat, come twice, lose the connection.

They see only what goes over the wire: a careful one finds out for itself that an explanation is of another picture.
"""

import asyncio
import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import httpx
import numpy as np

from storage.study_types import Study
from storage.tables import EventRow
from tests.making import CRITERIA
from tests.simulated_raters import Kind, SimulatedRater
from ui.services.workplace import Workplace

Habit = Literal["stays", "leaves", "twice", "cut off"]
WRITES = {"X-Capscope": "1"}
FILLER = "It names the main subject and what it does but says little of what stands behind and beside it . ".split()
METRIC = "ZorkScore"
PATIENCE_S = 900.0  # in all; whoever gives up loses no answer, but the whole play
_PAUSE_S = 0.05  # before a request that failed is sent again


def study_rows(count: int) -> list[dict[str, Any]]:
    """Return samples whose explanations name their caption's number and their score, in 60 to 130 words."""
    numbers = random.Random(5)
    rows = []
    for number in range(count):
        value = round((number + 0.5) / count, 3)
        words = [f"Scene {number} deserves {value} because", *(numbers.choice(FILLER) for _ in range(56))]
        words += FILLER[: numbers.randint(0, len(FILLER))] * 3
        score = {"metric": METRIC, "value": value, "rationales": {"overall": " ".join(words)}}
        rows.append({"id": f"s{number}", "image": f"p{number}.png", "caption": f"Scene {number}.", "scores": [score]})
    return rows


@dataclass(slots=True)
class Player:
    """A rater's browser, and who sits before it."""

    code: str
    kind: Kind
    habit: Habit
    client: httpx.AsyncClient
    url: str
    numbers: np.random.Generator
    quality: dict[str, "np.ndarray"]  # by caption, what each criterion deserves: the same for every rater
    cookies: list[dict[str, str]] = field(default_factory=list)  # one a tab
    waiting: list[dict[str, Any]] = field(default_factory=list)
    acknowledged: dict[str, dict[str, Any]] = field(default_factory=dict)  # by key
    refused: list[str] = field(default_factory=list)
    rated: int = 0  # items

    async def play(self, study: int, most: int, leaves_after: int) -> None:
        """Rate up to so many items, until nothing is left, or until this one has had enough."""
        sitting = SimulatedRater(self.kind, self.numbers)
        await self.enter()
        if self.habit == "twice":
            await self.enter()
        while self.rated < most:  # asking for more would hold items that nobody answers
            queue = await self.get(f"/api/rate/studies/{study}/items?count=3")
            items = [item for item in queue["items"] if not item["finished"]]
            if not items:
                return
            for item in items:
                if self.habit == "leaves" and self.rated >= leaves_after:
                    return await self.flush()
                self.answer(sitting, item)
            await self.flush()
            await asyncio.sleep(float(self.numbers.uniform(0, 0.05)))

    def answer(self, sitting: SimulatedRater, item: dict[str, Any]) -> None:
        """Answer what is asked about an item, as the page would send it."""
        self.rated += 1
        (panel,) = item["panels"]
        text = panel["rationales"][0]["text"]
        said = re.match(r"Scene (\d+) deserves ([\d.]+)", text)
        assert said is not None
        is_other = f"Scene {said[1]}." != item["caption"]
        is_turned = abs(float(said[2]) - panel["value"]) > 0.01
        bad = {"factuality": is_other, "consistency": is_turned}
        deserved = self.quality.setdefault(item["caption"], self.numbers.normal(3, 0.9, len(CRITERIA)))
        points = sitting.points(deserved, [bad.get(criterion, False) for criterion in CRITERIA])
        ms = int(1000 * sitting.seconds(len(text.split()), len(CRITERIA)))
        for criterion, point in zip(CRITERIA, points, strict=True):
            key = f"{self.code}-{self.numbers.integers(2**60):x}"
            answer = {"key": key, "assignment": item["id"], "kind": "rating", "panel": 1, "age_ms": 0}
            self.waiting.append(answer | {"criterion": criterion, "point": point, "in_sight_ms": ms})

    async def enter(self) -> None:
        """Say who this is, in another tab with the return key."""
        body = {"code": self.code}
        if self.cookies:
            asked = await self.send("GET", "/api/rate/session", tab=0)
            body["return_key"] = asked.json()["rater"]["return_key"]
        entered = await self.send("POST", "/api/rate/session", body)
        if entered.status_code == 409 and not self.cookies:  # let in, and killed before it could say so
            self.code += "A"
            return await self.enter()
        assert entered.status_code == 200, entered.text
        self.cookies.append({"Cookie": entered.headers["set-cookie"].split(";")[0]})

    async def flush(self) -> None:
        """Send what waits, again and again until it is acknowledged; perhaps from two tabs, perhaps cut off."""
        while self.waiting:
            batch = self.waiting[:100]
            tabs = range(len(self.cookies))
            timeout = 0.004 if self.habit == "cut off" and self.numbers.random() < 0.5 else None
            for reply in await asyncio.gather(
                *(self.try_once("POST", "/api/rate/saves", batch, n, timeout) for n in tabs)
            ):
                if reply is None or reply.status_code >= 500:
                    await asyncio.sleep(_PAUSE_S)
                    continue
                for answer, result in zip(batch, reply.json()["results"], strict=True):
                    if result["saved"]:
                        self.acknowledged[answer["key"]] = answer
                    else:
                        self.refused.append(str(result))
                sent = {answer["key"] for answer in batch}
                self.waiting = [answer for answer in self.waiting if answer["key"] not in sent]

    async def try_once(
        self, method: str, path: str, saves: Sequence[dict[str, Any]], tab: int, timeout: float | None
    ) -> httpx.Response | None:
        """Send saves once; None where no answer comes."""
        how = {} if timeout is None else {"timeout": timeout}
        headers = WRITES | self.cookies[tab]
        try:
            return await self.client.request(method, self.url + path, json={"saves": saves}, headers=headers, **how)
        except httpx.HTTPError:
            return None

    async def get(self, path: str) -> Any:
        """Return an answer's JSON, however often it has to be asked for."""
        return (await self.send("GET", path, tab=0)).json()

    async def send(self, method: str, path: str, body: Any = None, tab: int | None = None) -> httpx.Response:
        """Send until the server answers, be it killed and started meanwhile."""
        headers = WRITES | ({} if tab is None else self.cookies[tab])
        end = asyncio.get_running_loop().time() + PATIENCE_S
        while True:
            try:
                reply = await self.client.request(method, self.url + path, json=body, headers=headers)
                if reply.status_code < 500:
                    return reply
            except httpx.HTTPError:
                if asyncio.get_running_loop().time() > end:
                    raise
            await asyncio.sleep(_PAUSE_S)


@dataclass(slots=True)
class Manager:
    """Whoever watches the study and brings it to its end."""

    client: httpx.AsyncClient
    url: str
    study: int

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return an answer's JSON. Raises AssertionError where it is refused."""
        address = f"{self.url}/api/studies/{self.study}{path}"
        reply = await self.client.request(method, address, json=body, headers=WRITES, timeout=PATIENCE_S)
        assert reply.status_code < 300, f"{method} {path}: {reply.text}"
        return reply.json()


def lost_answers(workplace: Workplace, players: Sequence[Player]) -> int:
    """Return how many acknowledged answers are not in the log, or are there with another point or twice."""
    from sqlalchemy import select

    with workplace.repository.database.read() as connection:
        rows = connection.execute(select(EventRow.request_key, EventRow.criterion, EventRow.new_point)).all()
    stored: dict[str, list[tuple[str | None, int | None]]] = defaultdict(list)
    for key, criterion, point in rows:
        stored[key].append((criterion, point))
    return sum(
        stored.get(key) != [(answer.get("criterion"), answer.get("point"))]
        for player in players
        for key, answer in player.acknowledged.items()
    )


def counted_raters(workplace: Workplace, study: Study) -> dict[int, list[int]]:
    """Return, by item of the study, how many different raters' answers count to each criterion."""
    raters: dict[tuple[int, str], set[str]] = defaultdict(set)
    for record in workplace.repository.studies.records(study.id):
        if not record.left_out:
            raters[record.item, record.criterion].add(record.rater)
    return {item: [len(raters[item, key]) for key in CRITERIA] for item in range(1, study.items + 1)}
