"""Forms of every kind, and raters who answer whatever a form asks, as the rating page does. No test lives here."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from core.studies.asking.form_file import shipped_forms

_keys = count(1)
FORMS = Path(__file__).parents[2] / "core" / "studies" / "forms"


def _points(number: int) -> str:
    return "\n".join(f'  {{ text = "Punkt {point}: so gut ist es" }},' for point in range(1, number + 1))


WORDS = """[introduction.words]
criterion = "ein Kriterium"
criteria = "{number} Kriterien"
and = "und"
up_to = "bis zu {number}"
picture = "ein Bild"
pictures = "{number} Bilder"
evaluator = "Gutachter {number}"
no_picture = "Das kann ich nicht beurteilen, weil das Bild fehlt."
all_missing = "Die Bilder dieser Studie fehlen: Sie sehen nur die Texte. Wählen Sie N, wo eine Frage das Bild braucht."
some_missing = "Manchen Beispielen fehlt das Bild. Wählen Sie dort N, wenn eine Frage das Bild braucht."
"""


def german(key: str, criteria: int = 0, points: int = 10) -> str:
    """Return a German form's file."""
    asked = "".join(
        f'[[criteria]]\nkey = "frage-{number}"\nname = "Frage {number}"\n'
        f'question = "Wie gut ist das, auf {points} Punkten?"\npoints = [\n{_points(points)}\n]\n'
        for number in range(1, criteria + 1)
    )
    return (
        f'key = "{key}"\ntitle = "Erklärungen prüfen"\nlayout = "single"\n[introduction]\ngreeting = "Guten Tag!"\n'
        'paragraphs = ["Sie sehen {pictures}.", "Bitte beurteilen Sie {criteria}."]\n'
        f"{WORDS}\n{asked}"
    )


OWN = {
    "one criterion of ten points, German": german("eine-frage", criteria=1),
    "two criteria of ten points, German": german("zwei-fragen", criteria=2),
}
SHIPPED = tuple(form.key for form in shipped_forms())


def drafts() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what the wizard sends for each form: those of the folder, and OWN."""
    for key in SHIPPED:
        yield key, {"form": key}
    for name, text in OWN.items():
        yield name, {"form_text": text}


def samples() -> list[dict[str, Any]]:
    """Return two captions for each of three pictures, with explanations by two metrics and people's judgements."""
    return [
        {
            "id": f"s{number}",
            "image": f"p{number // 2}.png",
            "caption": f"Ein Hund läuft über Wiese {number}.",
            "references": [f"A dog on meadow {number}."],
            "human": number / 5,
            "judgements": [1 + number % 4] * 3,
            "scores": [
                {
                    "metric": metric,
                    "value": (number + place / 2) / 6,
                    "rationales": {"overall": f"The dog of {number} is there. The meadow is {metric}. It is green."},
                }
                for place, metric in enumerate(("ZorkScore", "BlimpCap"))
            ],
        }
        for number in range(6)
    ]


@dataclass(slots=True)
class Sitting:
    """A rater at the rating page, who answers everything that is asked."""

    client: TestClient
    study: dict[str, Any]  # as the page is told
    lean: int  # what tells this rater's answers from others'
    given: int = 0
    saves: list[dict[str, Any]] = field(default_factory=list)

    def play(self) -> None:
        """Answer every item, as it is shown."""
        place = 1
        while items := self._items(place):
            for item in items:
                self._answer(item)
            place += len(items)

    def _items(self, place: int) -> list[dict[str, Any]]:
        address = f"/api/rate/studies/{self.study['id']}/items?start={place}&count=20"
        found: list[dict[str, Any]] = self.client.get(address).raise_for_status().json()["items"]
        return found

    def _answer(self, item: dict[str, Any]) -> None:
        blind = [criterion for criterion in self.study["criteria"] if criterion["without_image"]]
        seeing = [criterion for criterion in self.study["criteria"] if not criterion["without_image"]]
        self._rate(item, blind)
        if not item["open"]:  # the picture comes once these are answered
            self._send([])
        if item["image"]:
            assert self.client.get(item["image"]).status_code == 200
            self._add(item, kind="reveal")
        self._rate(item, seeing)
        self._send([])

    def _rate(self, item: dict[str, Any], criteria: list[dict[str, Any]]) -> None:
        for criterion in criteria:
            points = [guideline["point"] for guideline in criterion["guidelines"] if guideline["point"]]
            panels = range(2, 3) if criterion["compares"] else range(1, len(item["panels"]) + 1)
            for panel in panels:
                point = points[(item["place"] + panel + self.lean * (len(points) // 2)) % len(points)]
                self._add(item, kind="rating", panel=panel, criterion=criterion["key"], point=point)
                self.given += 1
        self._send([])

    def _add(self, item: dict[str, Any], **save: Any) -> None:
        times = {"age_ms": 10, "in_sight_ms": 20_000 + 100 * len(self.saves), "shown_ms": 30_000}
        self.saves.append({"key": f"form-key-{next(_keys)}", "assignment": item["id"]} | times | save)

    def _send(self, _nothing: list[None]) -> None:
        if not self.saves:
            return
        answer = self.client.post("/api/rate/saves", json={"saves": self.saves}).raise_for_status()
        assert all(one["saved"] for one in answer.json()["results"]), answer.text
        self.saves = []
