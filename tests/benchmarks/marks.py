"""What judging by labels says of captions that people wrote of annotated pictures: `make marks`.

    python -m tests.benchmarks.marks [ablation]

Every caption is judged on its own picture, on other pictures, and with one thing in it exchanged for a thing that is
not there. Which classes a caption names is looked up in words_of_classes.py, which the product does not use. Half of
the pictures were kept aside while rules were made. With "ablation", the numbers without each group of rules follow.
"""

import os
import random
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from core.captions.judging import nouns, scene
from core.captions.reading import clauses
from core.metrics.hice import HICE
from core.models import ModelSettings, parser
from tests.benchmarks.annotated_captions import SEED, Picture, judge, pictures
from tests.benchmarks.words_of_classes import CLASS_WORDS
from tests.core.captions import test_whole_captions as whole_captions
from tests.core.captions.fact_scores import read_gold_graphs

COLLECTIVES = ("couple", "crowd", "family", "team", "luggage", "cattle", "sheep")  # "a crowd" means several people
OTHERS = 4  # other pictures that each caption is judged on, and exchanged things in each caption
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


def shares(metric: HICE, held: Sequence[Picture], everything: Sequence[Picture], draw: random.Random) -> list[Share]:
    """Return the table's rows for some pictures."""
    pairs = [(picture, caption) for picture in held for caption in picture.captions]
    own = list(judge(metric, pairs))
    others = [(draw.sample([p for p in everything if p is not picture], OTHERS), caption, n)
              for n, (picture, caption) in enumerate(pairs)]  # fmt: skip
    foreign_pairs = [(picture, caption, n) for chosen, caption, n in others for picture in chosen]
    foreign = list(judge(metric, [(picture, caption) for picture, caption, _ in foreign_pairs]))
    above = sum(own[n]["value"] > printed["value"] for (_, _, n), printed in zip(foreign_pairs, foreign, strict=True))
    own_marks, foreign_marks = marks_of(own), marks_of(foreign)
    unmentioned = sum(not any(r["mentioned"] for r in printed["explanation"]["regions"]) for printed in own)
    unsupported = sum(not marks_of([printed])["correct"] for printed in own)
    return [
        *mentions_of_classes(pairs, own),
        Share("own caption: phrases ✗", "≤ 1.2", own_marks["incorrect"], own_marks.total()),
        Share("own caption: phrases ✓", "", own_marks["correct"], own_marks.total()),
        Share("own caption: no phrase ✓", "≤ 50", unsupported, len(own)),
        Share("another picture's caption: phrases ✓", "≤ 1", foreign_marks["correct"], foreign_marks.total()),
        Share("another picture's caption: phrases ✗", "", foreign_marks["incorrect"], foreign_marks.total()),
        *exchanges(metric, held),
        Share("own caption above another picture's", "≥ 97", above, len(foreign)),
        Share("own caption: nothing mentioned", "", unmentioned, len(own)),
    ]


def marks_of(outcomes: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Return how many phrases have each mark."""
    return Counter(phrase["mark"] for printed in outcomes for phrase in printed["explanation"]["phrases"])


def mentions_of_classes(pairs: Sequence[tuple[Picture, str]], own: Sequence[Mapping[str, Any]]) -> list[Share]:
    """Return how many named classes have a mentioned region, and how many regions of other classes are mentioned.

    A class counts once a caption, because "a chair" means one of six chairs. "Person" counts apart.
    """
    named_classes: Counter[tuple[bool, bool]] = Counter()  # (is person, is mentioned)
    others: Counter[bool] = Counter()
    single: Counter[bool] = Counter()  # of "a man" beside several people: whether one region is mentioned
    for (_, caption), printed in zip(pairs, own, strict=True):
        said = named(caption)
        found: dict[str, list[bool]] = {}
        for region in printed["explanation"]["regions"]:
            if not region["is_full"]:
                found.setdefault(region["label"], []).append(region["mentioned"])
        for label, mentioned in found.items():
            if label not in said:
                others.update(mentioned)
                continue
            named_classes[label == "person", any(mentioned)] += 1
            if len(mentioned) > 1 and names_one(caption, label):
                single[sum(mentioned) == 1] += 1
    kinds = {is_person: named_classes[is_person, True] + named_classes[is_person, False] for is_person in (True, False)}
    return [
        Share("person named: a region mentioned", "≥ 97", named_classes[True, True], kinds[True]),
        Share("other class named: a region mentioned", "≥ 97", named_classes[False, True], kinds[False]),
        Share("class named once as “a …”: one region mentioned", "≥ 95", single[True], single.total()),
        Share("class not named: region mentioned", "≤ 6", others[True], others.total()),
    ]


def names_one(caption: str, label: str) -> bool:
    """Return whether a caption names a class once, after "a" or "an"."""
    places = [(start, end) for start, end, name in mentions(caption) if name == label]
    return (
        len(places) == 1
        and re.search(r"\b(a|an)\s$", caption[: places[0][0]].lower()) is not None
        and (not caption[: places[0][1]].lower().endswith(COLLECTIVES))
    )


def exchanges(metric: HICE, held: Sequence[Picture]) -> list[Share]:
    """Return how often phrases with an exchanged thing are contradicted."""
    draws = ((picture, random.Random(f"{n} {picture.name}")) for picture in held for n in range(OTHERS))
    wrong = [(picture, *made) for picture, draw in draws for made in exchanged(picture, draw)]
    marks: Counter[str] = Counter()
    for (_, _, word), printed in zip(wrong, judge(metric, [(p, text) for p, text, _ in wrong]), strict=True):
        about = [phrase for phrase in printed["explanation"]["phrases"] if word.split()[-1] in phrase["text"]]
        marks.update(phrase["mark"] for phrase in about)
        marks["without phrase"] += not about
    judged = marks.total() - marks["without phrase"]
    return [
        Share("a thing exchanged: its phrases ✗", "≥ 93", marks["incorrect"], judged),
        Share("a thing exchanged: no phrase has it", "", marks["without phrase"], len(wrong)),
    ]


def simple_captions() -> list[Share]:
    """Return how many simple captions have their main fact, tuned and held out."""
    reader = parser.DependencyParser.load()
    rows = []
    for part in ("tuning", "held out"):
        golds = [gold for gold in read_gold_graphs(SIMPLE) if gold.part == part and gold.main]
        found = reader.phrases([gold.caption for gold in golds])
        right = sum(gold.main in {one.fact for one in read} for gold, read in zip(golds, found, strict=True))
        rows.append(Share(f"simple captions, {part}: main fact right", "≥ 92", right, len(golds)))
    return rows


# Each group of rules, with the name in a module by which it is used, and what replaces it to switch it off.
RULES: Mapping[str, tuple[Any, str, Any]] = {
    "proper names": (parser, "with_names", lambda caption, words: tuple(words)),
    "plain verbs": (parser.pieces, "with_plain_verbs", lambda pieces, lexicon: tuple(pieces)),
    "pronouns": (clauses, "meaning", lambda tree, token: None),
    "denial": (clauses, "_with_denial", lambda tree, mention: mention),
    "compounds by context": (nouns, "_compound", lambda noun, before, after, lexicon: noun),
    "imitations": (nouns, "_is_imitation", lambda texts, start, last: False),
    "confused labels": (scene, "CONFUSED", ()),
    "rooms": (scene, "FIXTURES", {}),
    "kinds of related things": (scene, "may_relate", lambda stated, one, other: True),
    "relations of outlines": (scene, "relation", lambda predicate: None),
}


def ablation(folder: Path, found: Sequence[Picture]) -> Table:
    """Return the marks, and what whole captions state, without each group of rules."""
    table = Table("without", "own ✓, %", "own ✗, %", "others' ✓, %", "exchanged ✗, %", "main, all, false facts, %")
    kept_aside = [one for one in whole_captions.read() if one.part.startswith("kept aside")]
    for name, (module, attribute, nothing) in {"nothing": (scene, "CONFUSED", scene.CONFUSED), **RULES}.items():
        usual = getattr(module, attribute)
        setattr(module, attribute, nothing)
        try:
            rows = {row.what: row for row in shares(loaded(folder), found, found, random.Random(SEED))}
            facts = whole_captions.measure(parser.DependencyParser.load(), kept_aside)
        finally:
            setattr(module, attribute, usual)
        wanted = ("own caption: phrases ✓", "own caption: phrases ✗", "another picture's caption: phrases ✓")
        numbers = [f"{rows[what].percent:.1f}" for what in (*wanted, "a thing exchanged: its phrases ✗")]
        table.add_row(name, *numbers, f"{facts.main:.1f}, {facts.found:.1f}, {facts.false:.1f}")
    return table


def loaded(folder: Path) -> HICE:
    """Return HICE-S by the labels of the annotated pictures."""
    return HICE.load(ModelSettings(options={"regions": str(folder / "instances_subset.json")}))


def main(folder: Path, with_ablation: bool) -> None:
    """Print the table: all pictures, the half with which rules were made, and the half that was kept aside."""
    found = pictures(folder)
    aside = {name for number, name in enumerate(sorted(picture.name for picture in found)) if number % 2}
    metric, draw = loaded(folder), random.Random(SEED)
    parts = [[one for one in found if (one.name in aside) == is_aside] for is_aside in (False, True)]
    halves = [shares(metric, part, found, draw) for part in parts]
    table = Table("what", "%", "times", "of", "goal", "for rules, %", "kept aside, %")
    for one, other in zip(*halves, strict=True):
        row = replace(one, times=one.times + other.times, of=one.of + other.of)
        numbers = (f"{row.percent:.1f}", str(row.times), str(row.of), row.asked)
        table.add_row(row.what, *numbers, f"{one.percent:.1f}", f"{other.percent:.1f}")
    for row in simple_captions():
        table.add_row(row.what, f"{row.percent:.1f}", str(row.times), str(row.of), row.asked)
    Console(width=120).print(table)
    if with_ablation:
        Console(width=120).print(ablation(folder, found))


if __name__ == "__main__":
    shared = Path(os.environ.get("CAPSCOPE_SHARED", Path(__file__).resolve().parents[3] / "shared"))
    main(shared / "data" / "coco", sys.argv[1:] == ["ablation"])
