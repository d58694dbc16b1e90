"""Count how the FACTUAL corpus treats pairs of neighbouring words, and write the settled ones to compounds.tsv.

    python -m assets.language.compounds FACTUAL_TRAIN.csv

"tennis racket" is one thing there, "tree branch" is ( tree , have , branch ), "bathroom sink" is
( sink , in , bathroom ), and "brick wall" is ( wall , is , brick ). The last is the rule; the others are listed when
a pair, its second word in the singular, was seen at least twice that way and more often than in all other ways.
"""

import argparse
import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

from core.captions.facts import Fact, heads_of, read_facts
from core.captions.word_splitting import singular

LETTERS = re.compile(r"[a-z][a-z\-']*")
LEAST = 2

Pair = tuple[str, str]


def main() -> None:
    """Write compounds.tsv beside this file."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("train", type=Path)
    given = arguments.parse_args()
    with given.train.open(encoding="utf-8", newline="") as rows:
        annotated = [(row["caption"].lower(), read_facts(row["scene_graph"])) for row in csv.DictReader(rows)]
    lines = [f"{first} {second}\t{use}\n" for (first, second), use in settled(annotated)]
    (Path(__file__).parent / "compounds.tsv").write_text("".join(lines), encoding="utf-8")
    print(f"wrote {len(lines)} compounds")


def settled(annotated: Iterable[tuple[str, Sequence[Fact]]]) -> list[tuple[Pair, str]]:
    """Return the pairs that are used in one way other than attribute, in alphabetical order."""
    written: set[Pair] = set()
    uses: dict[Pair, Counter[str]] = defaultdict(Counter)
    for caption, facts in annotated:
        for first, second in pairwise(LETTERS.findall(caption)):
            use = use_of(first, second, facts)
            if use:
                uses[first, singular(second)][use] += 1
                written |= {(first, second)} if use != "attribute" else set()
    chosen = [(pair, settled_use(uses[pair[0], singular(pair[1])])) for pair in sorted(written)]
    return [(pair, use) for pair, use in chosen if use]


def settled_use(counts: Counter[str]) -> str:
    """Return the use that was seen often enough and more often than all others together, "" if there is none."""
    use, times = counts.most_common(1)[0]
    clear = times >= LEAST and 2 * times > counts.total()
    return use if clear and use != "attribute" else ""


def use_of(first: str, second: str, facts: Sequence[Fact]) -> str:
    """Return how a graph treats two neighbouring words: "thing", "attribute", "have", "in" or ""."""
    if any(f"{first} {second}" in heads_of(fact) for fact in facts):
        return "thing"
    if any(fact.kind == "attribute" and (fact.subject, fact.object) == (second, first) for fact in facts):
        return "attribute"
    if any((fact.subject, fact.predicate, fact.object) == (first, "have", second) for fact in facts):
        return "have"
    related = any(fact.kind == "relation" and (fact.subject, fact.object) == (second, first) for fact in facts)
    return "in" if related else ""


if __name__ == "__main__":
    main()
