"""Compare facts with a gold scene graph: set match and SPICE-style F, by FACTUAL's definitions.

Set match (Li et al. 2023, section 5.1) is 1 if both graphs state exactly the same facts. SPICE-style F is F1 over
tuples. A tuple is a thing (1 word), a thing and its attribute or quantity (2), or a relation (3).

Before the comparison every word except "is" is reduced to its singular by suffix rules. FACTUAL's own program uses
WordNet's lemmatiser instead, and METEOR's synonyms.

Gold graphs are CSV files with a header, as the FACTUAL corpus publishes them. Capscope's own files may have two more
columns. `main` is the main fact of a simple caption. The captions of a file can be divided into groups, and `part` is
the name of the caption's group.
"""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.captions.reading.facts import Fact, read_facts
from core.captions.reading.words import singular

Tuple = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoldGraph:
    """A caption, with the facts that annotators wrote for it (the correct answer for a parser)."""

    caption: str
    facts: tuple[Fact, ...]
    main: Fact | None = None  # the main fact of a simple caption; None: the file does not give one
    part: str = ""  # text of the column "part" in the file of gold graphs; "" without this column


@dataclass(frozen=True, slots=True)
class Agreement:
    """Mean agreement of a parser's facts with gold graphs, over captions. Agreements are in [0, 100]."""

    captions: int
    set_match: float
    spice_f: float  # F score in which a tuple of the parser's graph matches only an equal tuple of the gold graph
    main_facts: int  # number of captions with a known main fact
    main_right: float  # percentage of known main facts that the parser's facts contain; 0 if no main fact is known


def evaluate(candidates: Sequence[Sequence[Fact]], golds: Sequence[GoldGraph]) -> Agreement:
    """Return the mean agreement of a parser's facts with the annotators' facts, for the same captions in order."""
    pairs = [(set(map(lemmatised, found)), gold) for found, gold in zip(candidates, golds, strict=True)]
    mains = [lemmatised(gold.main) in found for found, gold in pairs if gold.main]
    return Agreement(
        len(pairs),
        mean(found == set(map(lemmatised, gold.facts)) for found, gold in pairs),
        mean(spice_f(tuples(found), tuples(map(lemmatised, gold.facts))) for found, gold in pairs),
        len(mains),
        mean(mains),
    )


def mean(values: Iterable[float]) -> float:
    """Return the mean, times 100; 0 for no values."""
    numbers = list(values)
    return 100 * sum(numbers) / len(numbers) if numbers else 0.0


def spice_f(found: set[Tuple], expected: set[Tuple]) -> float:
    """Return F1 over tuples, a value in [0, 1]. Two empty sets get 1."""
    if not found or not expected:
        return float(found == expected)
    return 2 * len(found & expected) / (len(found) + len(expected))


def tuples(facts: Iterable[Fact]) -> set[Tuple]:
    """Return the SPICE tuples of facts (Anderson et al. 2016, section 3.2): each thing, and what is said of it."""
    found = set[Tuple]()
    for fact in facts:
        found |= {(head,) for head in fact.things}
        if fact.kind == "relation":
            found.add((fact.subject, fact.predicate, fact.object))
        elif fact.predicate:
            found.add((fact.subject, fact.object))
    return found


def lemmatised(fact: Fact) -> Fact:
    """Return the fact in lower case with every word singular."""
    parts = (fact.subject, fact.predicate, fact.object)
    return Fact(*(" ".join(singular(word) for word in part.lower().split()) for part in parts))


def read_gold_graphs(file: Path) -> list[GoldGraph]:
    """Return the gold graphs in a FACTUAL file, in order; only Capscope's own files have `main` and `part`."""
    with file.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines, strict=True))
    found = []
    for row in rows:
        main = read_facts(row.get("main") or "")
        gold = GoldGraph(
            row["caption"], read_facts(row["scene_graph"]), main[0] if main else None, row.get("part") or ""
        )
        assert gold.facts, f"no facts: {row}"
        found.append(gold)
    return found
