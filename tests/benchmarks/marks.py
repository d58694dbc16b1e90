"""What judging by labels says of captions that people wrote of annotated pictures: `make marks`.

    python -m tests.benchmarks.marks [FOLDER with captions_subset.json and instances_subset.json]

Every caption is judged on its own picture, on another picture, and with one thing in it exchanged for a thing that is
not there. Which classes a caption names is looked up in words_of_classes.py, which the product does not use. What is
calibrated is fitted on four fifths of the pictures and used on the others, five times.
"""

import os
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from core.captions.evaluation import read_gold_graphs
from core.metrics.hice import HICE
from core.models import ModelSettings
from core.models.language.parsers import SPACY, load_scene_graph_parser
from tests.benchmarks.annotated_captions import FOLDS, SEED, Picture, judge, pictures
from tests.benchmarks.calibration import supports, weight
from tests.benchmarks.words_of_classes import CLASS_WORDS

OTHERS = 4  # other pictures that each caption is judged on
SIMPLE = Path(__file__).parents[2] / "assets" / "language" / "captions.csv"


@dataclass(frozen=True, slots=True)
class Share:
    """How often something was so."""

    what: str
    asked: str
    times: int
    of: int

    @property
    def percent(self) -> float:
        """Return the share, x 100."""
        return 100 * self.times / self.of if self.of else float("nan")


def named(caption: str) -> frozenset[str]:
    """Return the classes that a caption names, by the list; the longest run of words counts."""
    return frozenset(name for _, _, name in mentions(caption))


def mentions(caption: str) -> Iterator[tuple[int, int, str]]:
    """Yield (first character, end, class) of each name of a class in a caption, the longest runs first."""
    by_run = {run.replace("_", " "): name for name, runs in reversed(CLASS_WORDS.items()) for run in runs.split()}
    found = [(match.start(), match.end(), match.group()) for match in re.finditer(r"[a-z]+(?:'s)?", caption.lower())]
    position = 0
    while position < len(found):
        for count in (2, 1):
            run = " ".join(text for _, _, text in found[position : position + count])
            if run in by_run and position + count <= len(found):
                for name, runs in CLASS_WORDS.items():
                    if run.replace(" ", "_") in runs.split():
                        yield found[position][0], found[position + count - 1][1], name
                position += count - 1
                break
        position += 1


def exchanged(picture: Picture, draw: random.Random) -> Iterator[tuple[str, str]]:
    """Yield captions in which one thing that is there became another that is not, and the word for it."""
    for caption in picture.captions:
        there = sorted({place for place in mentions(caption) if place[2] in picture.classes})
        if not there:
            continue
        start, end, old = draw.choice(there)
        absent = sorted(set(CLASS_WORDS) - picture.classes - named(caption))
        wrong = draw.choice(absent)
        plural = caption[start:end].lower().endswith("s") and not wrong.endswith("s") and old != "bus"
        text = wrong + ("es" if wrong.endswith(("ch", "s")) else "s") * plural
        yield caption[:start] + text + caption[end:], wrong


def mark(phrase: Mapping[str, Any]) -> str:
    """Return what is said of a phrase."""
    said: str = phrase["mark"]
    return said


def shares(metric: HICE, held: Sequence[Picture], everything: Sequence[Picture], draw: random.Random) -> list[Share]:
    """Return the table's rows for some pictures."""
    pairs = [(picture, caption) for picture in held for caption in picture.captions]
    own = list(judge(metric, pairs))
    regions: Counter[tuple[str, bool]] = Counter()
    for (_, caption), printed in zip(pairs, own, strict=True):
        said = named(caption)
        for region in printed["explanation"]["regions"]:
            if not region["is_full"]:
                kind = (
                    "not named" if region["label"] not in said else "person" if region["label"] == "person" else "other"
                )
                regions[kind, region["mentioned"]] += 1
    others = [(draw.sample([p for p in everything if p is not picture], OTHERS), caption, n)
              for n, (picture, caption) in enumerate(pairs)]  # fmt: skip
    foreign_pairs = [(picture, caption, n) for chosen, caption, n in others for picture in chosen]
    foreign = list(judge(metric, [(picture, caption) for picture, caption, _ in foreign_pairs]))
    own_marks = Counter(mark(phrase) for printed in own for phrase in printed["explanation"]["phrases"])
    foreign_marks = Counter(mark(phrase) for printed in foreign for phrase in printed["explanation"]["phrases"])
    wrong = [(picture, *made) for picture in held for made in exchanged(picture, draw)]
    wrong_marks: Counter[str] = Counter()
    for (_, _, word), printed in zip(wrong, judge(metric, [(p, text) for p, text, _ in wrong]), strict=True):
        about = [phrase for phrase in printed["explanation"]["phrases"] if word.split()[-1] in phrase["text"]]
        wrong_marks.update(map(mark, about))
        wrong_marks["without phrase"] += not about
    above = sum(own[n]["value"] > printed["value"] for (_, _, n), printed in zip(foreign_pairs, foreign, strict=True))
    unmentioned = sum(not any(r["mentioned"] for r in printed["explanation"]["regions"]) for printed in own)
    kinds = {kind: regions[kind, True] + regions[kind, False] for kind in ("person", "other", "not named")}
    judged_wrong = wrong_marks.total() - wrong_marks["without phrase"]
    return [
        Share("person named: region mentioned", "≥ 90", regions["person", True], kinds["person"]),
        Share("other class named: region mentioned", "≥ 95", regions["other", True], kinds["other"]),
        Share("class not named: region mentioned", "≤ 5", regions["not named", True], kinds["not named"]),
        Share("own caption: phrases ✗", "≤ 8", own_marks["incorrect"], own_marks.total()),
        Share("own caption: phrases ✓", "", own_marks["correct"], own_marks.total()),
        Share("another picture's caption: phrases ✓", "≤ 4", foreign_marks["correct"], foreign_marks.total()),
        Share("another picture's caption: phrases ✗", "", foreign_marks["incorrect"], foreign_marks.total()),
        Share("a thing exchanged: its phrases ✗", "≥ 85", wrong_marks["incorrect"], judged_wrong),
        Share("a thing exchanged: no phrase has it", "", wrong_marks["without phrase"], len(wrong)),
        Share("own caption above another picture's", "≥ 98", above, len(foreign)),
        Share("own caption: nothing mentioned", "", unmentioned, len(own)),
    ]


def simple_captions() -> list[Share]:
    """Return how many simple captions have their main fact, tuned and held out."""
    parser = load_scene_graph_parser(SPACY, ModelSettings())
    rows = []
    for part in ("tuning", "held out"):
        golds = [gold for gold in read_gold_graphs(SIMPLE) if gold.part == part and gold.main]
        found = parser.facts([gold.caption for gold in golds])
        right = sum(gold.main in {one.fact for one in facts} for gold, facts in zip(golds, found, strict=True))
        rows.append(Share(f"simple captions, {part}: main fact right", "≥ 92", right, len(golds)))
    return rows


def added(tables: Sequence[Sequence[Share]]) -> list[Share]:
    """Return the sums of several tables, row by row."""
    return [
        replace(rows[0], times=sum(r.times for r in rows), of=sum(r.of for r in rows))
        for rows in zip(*tables, strict=True)
    ]


def main(folder: Path) -> None:
    """Print the table."""
    found = pictures(folder)
    draw = random.Random(SEED)
    numbers = draw.sample(range(len(found)), len(found))
    options = {"regions": str(folder / "instances_subset.json")}
    seen = supports(HICE.load(ModelSettings(options=options | {"w": "1"})), found, random.Random(SEED))
    tables = []
    for fold in range(FOLDS):
        held = numbers[fold::FOLDS]
        fitted = weight(*seen.of([number for number in numbers if number not in held]))
        metric = HICE.load(ModelSettings(options=options | {"w": f"{fitted:.3f}"}))
        tables.append(shares(metric, [found[number] for number in held], found, draw))
    rows = added(tables) + (simple_captions() if SIMPLE.is_file() else [])
    table = Table("what", "%", "times", "of", "asked")
    for row in rows:
        table.add_row(row.what, f"{row.percent:.1f}", str(row.times), str(row.of), row.asked)
    Console(width=120).print(table)


if __name__ == "__main__":
    shared = Path(os.environ.get("CAPSCOPE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else shared / "data" / "coco")
