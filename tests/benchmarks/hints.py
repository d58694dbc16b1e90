"""How well hints read real explanations, by a person's own reading of them: `make hints`.

    python -m tests.benchmarks.hints [FOLDER that holds published, expert and coco]

The judgements (hint_judgements.json) hold places of phrases only, each with a letter: a said to be there, n denied,
l said to be lacking in the caption, x names no thing; of pictures 1 there, 0 not there, x cannot be told. "held_out"
was drawn by a seed, most of it sentences with a word of negation, and judged once the rules stood; "seen" are all
published explanations and a first draw: the rules were made on them. "own_pictures" are the three annotated pictures
that have explanations; "pictures" are sentences beside sixteen others, which they are not about.
"""

import gzip
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from core.captions.explanation_hints import Hint
from core.captions.noun_phrases import NounPhrase
from core.datasets.coco_instances import read_annotations
from core.regions.annotated import region_of
from core.types import ImageRegion
from ui.services.studies.hints import named, sentence_hints

JUDGEMENTS = Path(__file__).with_name("hint_judgements.json")
SHARED = Path(__file__).parents[3] / "shared" / "data"
Placed = TypeVar("Placed", NounPhrase, Hint)
DENIALS = {"denied": "n", "lacking": "l"}


@dataclass(frozen=True, slots=True)
class Counts:
    """Of one question: found and so, found and not so, not found."""

    right: int = 0
    false: int = 0
    missed: int = 0

    def __str__(self) -> str:
        """Print precision and recall with what they are shares of."""
        found, so = self.right + self.false, self.right + self.missed
        shares = [f"{self.right}/{n} = {self.right / n:.2f}" if n else "0/0" for n in (found, so)]
        return f"precision {shares[0]}, recall {shares[1]}"


def counted(pairs: Iterable[tuple[bool, bool]]) -> Counts:
    """Count pairs of found and so."""
    every = list(pairs)
    return Counts(every.count((True, True)), every.count((True, False)), every.count((False, True)))


def texts(folder: Path) -> Callable[[Mapping[str, Any]], tuple[str, str]]:
    """Return a function that gives a judged sentence and its caption."""
    expert = folder / "expert"
    rows = {"polaris_exp_val": json.loads((expert / "polaris_exp_val.json").read_text(encoding="utf-8"))}
    with gzip.open(expert / "nebula_exp_val.json.gz", "rt", encoding="utf-8") as file:
        rows["nebula_exp_val"] = json.load(file)
    told = {(name, row["id"]): row for name, found in rows.items() for row in found}
    lines = (folder / "published" / "explanations.jsonl").read_text(encoding="utf-8").splitlines()
    published = {row["id"]: row for row in map(json.loads, lines)}

    def text(judged: Mapping[str, Any]) -> tuple[str, str]:
        if judged["file"] == "published":
            row = published[judged["id"]]
            whole, caption = row["scores"][judged["score"]]["rationales"][judged["aspect"]], row["caption"]
        else:
            row = told[judged["file"], judged["id"]]
            whole, caption = row["explanation"][judged["aspect"]], row["mt"]
        return whole[judged["start"] : judged["end"]], caption

    return text


def stances(judged: Iterable[tuple[Mapping[str, Any], str]]) -> Iterator[tuple[str, str]]:
    """Yield what was found and what was judged of each phrase that names a thing; "" where nothing was found."""
    letters = {**DENIALS, "said": "a", "reported": "a"}
    for row, text in judged:
        for start, end, letter in row["phrases"]:
            found = _at(named(text), start, end)
            if letter != "x":
                yield letters[found.stance] if found else "", letter


def absences(
    judged: Iterable[tuple[Mapping[str, Any], str, str]],
    regions: Mapping[str, tuple[ImageRegion, ...]],
    labels: tuple[str, ...],
) -> Iterator[tuple[Hint, bool]]:
    """Yield the hint at each phrase and whether its thing is not on the picture."""
    for row, text, caption in judged:
        found = sentence_hints(text, caption, regions[row["picture"]], labels)
        for start, end, letter in row["phrases"]:
            hint = _at(found, start, end)
            if letter != "x" and hint is not None:
                yield hint, letter == "0"


def _at(found: Iterable[Placed], start: int, end: int) -> Placed | None:
    return next((one for one in found if one.start < end and one.end > start), None)


def main(folder: Path = SHARED) -> None:
    """Print precision and recall."""
    judged, text = json.loads(JUDGEMENTS.read_text(encoding="utf-8")), texts(folder)
    for name in ("held_out", "seen"):
        pairs = list(stances((row, text(row)[0]) for row in judged[name]))
        print(f"{name}: {len(judged[name])} sentences, {len(pairs)} phrases")
        print("  denied or lacking:", counted((found in "nl" and found != "", so in "nl") for found, so in pairs))
        for letter, words in (("n", "denied"), ("l", "lacking")):
            print(f"  {words}:", counted((found == letter, so == letter) for found, so in pairs))
        things = [letter for row in judged[name] for *_, letter in row["phrases"]]
        print(f"  phrases that name no thing: {things.count('x')} of {len(things)}")
    file = read_annotations(folder / "coco" / "instances_subset.json")
    regions = {
        name: tuple(region_of(one, picture.size) for one in picture.instances)
        for name, picture in file.pictures.items()
    }
    for name in ("own_pictures", "pictures"):
        rows = [(row, *text(row)) for row in judged[name]]
        found = list(absences(rows, regions, tuple(file.labels)))
        print(
            f"{name}: {len(rows)} sentences, {len({row['picture'] for row, *_ in rows})} pictures, {len(found)} phrases"
        )
        said = [(hint.where in ("caption", "nowhere"), so) for hint, so in found]
        print("  not among the regions, of kinds that were looked for:", counted(said))
        print("  were all that no region names called so:", counted((h.where != "picture", so) for h, so in found))
        print("  on the picture:", counted((hint.where == "picture", not so) for hint, so in found))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
