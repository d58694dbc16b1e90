"""The card of an exported data set: a README.md for the Hugging Face hub."""

import json
from dataclasses import dataclass, field

from core.datasets.base import Exported
from core.installation import COMMAND
from core.signature import VERSION
from core.types import Score

README = "README.md"


@dataclass(slots=True)
class Tally:
    """Numbers of samples, pictures, scores and errors, which a data set's card states."""

    samples: int = 0
    judged: int = 0  # number of samples with human judgements
    pictures: set[str] = field(default_factory=set)
    scores: dict[str, int] = field(default_factory=dict)  # by signature
    totals: dict[str, float] = field(default_factory=dict)  # sums of the scores; key: the metric's signature
    errors: dict[str, int] = field(default_factory=dict)  # by signature

    def count(self, one: Exported) -> None:
        """Count a sample."""
        self.samples += 1
        self.judged += one.sample.human is not None
        self.pictures.add(one.sample.image.sha256 or one.sample.image.name)
        for outcome in one.outcomes:
            if isinstance(outcome, Score):
                self.scores[outcome.signature] = self.scores.get(outcome.signature, 0) + 1
                self.totals[outcome.signature] = self.totals.get(outcome.signature, 0.0) + outcome.value
            else:
                self.errors[outcome.signature] = self.errors.get(outcome.signature, 0) + 1


def card(name: str, form: str, tally: Tally, left_out: int, notice: str = "") -> str:
    """Return the card (README.md) of a data set.

    form: the name of the export's format. left_out: the number of samples that were not exported. Names, signatures and
    notices may come from untrusted people, so they are escaped and never become markup.
    """
    facts = [
        f"- captions: {tally.samples:,}; pictures: {len(tally.pictures):,}",
        *([f"- skipped captions (this format cannot store them): {left_out:,}"] if left_out else []),
        f"- with a human judgement (`human`, from 0 to 1): {tally.judged:,}",
        f"- written by Capscope {VERSION}; to import it again, run `{COMMAND} import {form}`",
    ]
    rows = [
        f"| {_code(mark)} | {number:,} | {tally.errors.get(mark, 0):,} | {tally.totals[mark] / number:.4f} |"
        for mark, number in sorted(tally.scores.items())
    ]
    table = ["## Scores", "", "| signature | scores | errors | mean |", "|---|---|---|---|", *rows, ""] if rows else []
    head = {"pretty_name": name, "tags": ["image-captioning", "evaluation", "capscope"]}
    front = [f"{key}: {json.dumps(value, ensure_ascii=True)}" for key, value in head.items()]
    intro = [_code(notice), ""] if notice else []
    rights = "The pictures, captions and judgements belong to their authors. This card grants no rights to them."
    lines = ["---", *front, "---", "", f"# {_code(name)}", "", *intro, *facts, "", *table, "## Rights", "", rights, ""]
    return "\n".join(lines)


def _code(text: str) -> str:
    """Return a text as inline code, which Markdown shows unchanged, also in tables."""
    plain = " ".join(text.split()).replace("`", "'").replace("|", "\\|")
    return f"`{plain}`"
