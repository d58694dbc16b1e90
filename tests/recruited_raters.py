"""Raters whom a recruitment platform sends: they consent, are screened, checked and trained, rate, report, and leave.

Each behaves as its fate says. They use only what goes over the wire.
"""

from dataclasses import dataclass
from typing import Any, Literal

from tests.played_study import Player
from tests.simulated_raters import SimulatedRater
from ui.web.access.cookies import LINK_HEADER

Fate = Literal["declines", "screened", "fails check", "returns", "vanishes", "fails gold", "finishes"]
SKIP = {"reason": "cannot_judge", "words": "I cannot read the caption.", "skip": True}


@dataclass(slots=True, kw_only=True)
class Recruited(Player):
    """A rater with a platform's id, and what becomes of them."""

    link: str
    fate: Fate
    right: tuple[str, ...]  # answers to the comprehension check
    skips: int = 0  # the item, from 1, that this one skips; 0: none
    stage: str = ""  # the last page before or after the items
    skipped: int = 0

    @property
    def person(self) -> str:
        """The platform's id."""
        return f"{self.code}{'0' * 20}"

    async def take_part(self, study: int, most: int, leaves_after: int) -> None:
        """Come, and go as far as the fate lets this one."""
        await self.arrive()
        visit = f"/api/rate/studies/{study}/visit"
        self.stage = (await self.get(visit))["stage"]
        while self.stage in ("consent", "before", "check"):
            if self.fate == "declines":
                self.stage = (await self.post(f"{visit}/leaving", {"yes": True}))["stage"]
                return
            self.stage = await self.pass_gate(visit)
        if self.stage != "rate":
            return
        await self.rate(study, most, leaves_after)
        if self.fate == "returns":
            self.stage = (await self.post(f"{visit}/leaving", {"yes": True}))["stage"]
        elif self.fate != "vanishes":
            self.stage = (await self.get(visit))["stage"]

    async def arrive(self) -> None:
        """Enter by the platform's link."""
        network = f"10.{int(self.code) // 250}.{int(self.code) % 250}.7"
        self.cookies.append({LINK_HEADER: self.link, "X-Forwarded-For": network})
        entered = await self.send("POST", "/api/rate/arrival", {"query": f"PROLIFIC_PID={self.person}"}, tab=0)
        assert entered.status_code == 200, entered.text
        self.cookies[0]["Cookie"] = entered.headers["set-cookie"].split(";")[0]

    async def pass_gate(self, visit: str) -> str:
        """Answer the page before the items; returns the next stage."""
        seen = await self.get(visit)
        if seen["stage"] == "consent":
            return str((await self.post(f"{visit}/consent", {"yes": True, "consent": seen["consent"]}))["stage"])
        if seen["stage"] == "before":
            answers = ["no" if self.fate == "screened" else "yes"]
            return str((await self.post(f"{visit}/answers", {"answers": answers, "stamp": seen["stamp"]}))["stage"])
        check, is_wrong = seen["check"], self.fate == "fails check" or self.numbers.random() < 0.2
        if check["attempt"] == 2:
            is_wrong = self.fate == "fails check"
        wrong = [next(c for c in q["choices"] if c != r) for q, r in zip(check["questions"], self.right, strict=True)]
        body = {"attempt": check["attempt"], "answers": wrong if is_wrong else [*self.right]}
        return str((await self.post(f"{visit}/check", body))["stage"])

    async def rate(self, study: int, most: int, leaves_after: int) -> None:
        """Rate until nothing is left, or until this one has had enough."""
        sitting = SimulatedRater(self.kind, self.numbers)
        while True:
            queue = await self.get(f"/api/rate/studies/{study}/items?count=3")
            items = [item for item in queue["items"] if not item["finished"]]
            if not items or queue["stopped"] is not None:
                return
            for item in items:
                if self.fate in ("returns", "vanishes") and self.rated >= leaves_after:
                    return await self.flush()
                if item["practice"]:
                    await self.practise(sitting, item)
                    break  # the next items come when it is right
                if self.rated + 1 == self.skips:
                    self.skip(item)
                else:
                    self.answer(sitting, item)
            await self.flush()
            if self.rated > 2 * most:
                raise AssertionError(f"{self.code} gets more than {most} items")

    def skip(self, item: dict[str, Any]) -> None:
        """Report an item and skip it."""
        self.rated += 1
        self.skipped += 1
        key = f"{self.code}-{self.numbers.integers(2**60):x}"
        self.waiting.append({"key": key, "assignment": item["id"], "kind": "report", "age_ms": 0, "said": SKIP})

    async def practise(self, sitting: SimulatedRater, item: dict[str, Any]) -> None:
        """Answer a practice item, and again what was wrong."""
        self.answer(sitting, item)
        answers = list(self.waiting)
        await self.flush()
        feedback = await self.get(f"/api/rate/items/{item['id']}/feedback")
        for answer in answers:
            bounds = feedback["right"].get(answer["criterion"])
            if not feedback["passed"] and bounds is not None:
                key = f"{self.code}-{self.numbers.integers(2**60):x}"
                self.waiting.append(answer | {"key": key, "point": bounds[0]})
        await self.flush()

    async def post(self, path: str, body: dict[str, Any]) -> Any:
        """Send something once it is due; returns the answer's JSON."""
        reply = await self.send("POST", path, body, tab=0)
        assert reply.status_code < 300, f"{path}: {reply.text}"
        return reply.json()
