"""How well facts agree with a gold scene graph: set match and SPICE-style F, as FACTUAL's evaluation defines them.

Set match (Li et al. 2023, section 5.1) is 1 where both sides state exactly the same facts. SPICE-style F is F1 over
tuples: a thing (1), a thing and its attribute or quantity (2), a relation (3). Before comparing, every word but "is"
is reduced to its singular by plain suffix rules on both sides; the original uses WordNet's lemmatiser. Tuples
that are not equal then match where their words are equal or synonyms, as in the original, which takes METEOR's sets of
synonyms for all parts of speech; here they are those of a table of nouns.

Gold graphs are read as the FACTUAL corpus publishes them: CSV with a header. Files of ours may have two columns more:
`main`, the fact that a simple caption is about, and `part`.
"""

import csv
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.captions.facts import Fact, heads_of, read_facts
from core.captions.words import singular
from core.errors import BadFile, BadRow

COLUMNS = ("caption", "scene_graph")

Tuple = tuple[str, ...]
Synonyms = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class GoldGraph:
    """A caption and the facts that annotators found in it."""

    caption: str
    facts: tuple[Fact, ...]
    main: Fact | None = None  # what a simple caption says first of all, where the file has a column for it
    part: str = ""  # of the file, where it has a column for it


@dataclass(frozen=True, slots=True)
class Agreement:
    """Mean agreement over captions, each in [0, 100]."""

    captions: int
    set_match: float
    spice_f: float  # equal tuples alone
    spice_f_synonyms: float  # and tuples of synonyms; the same without a table
    main_facts: int  # of the captions whose main fact is known
    main_right: float  # of these main facts are among the candidate's; 0 where there are none


def evaluate(
    candidates: Sequence[Sequence[Fact]], golds: Sequence[GoldGraph], synonyms: Synonyms = operator.eq
) -> Agreement:
    """Return the mean agreement of candidates with golds, one pair a caption. Raises ValueError on unequal lengths."""
    pairs = list(zip(candidates, golds, strict=True))
    mains = [main_fact_right(candidate, gold.main) for candidate, gold in pairs if gold.main]
    return Agreement(
        len(pairs),
        mean(set_match(candidate, gold.facts) for candidate, gold in pairs),
        mean(spice_f(candidate, gold.facts) for candidate, gold in pairs),
        mean(spice_f(candidate, gold.facts, synonyms) for candidate, gold in pairs),
        len(mains),
        mean(mains),
    )


def mean(values: Iterable[float]) -> float:
    """Return the mean, x 100; 0 of nothing."""
    found = list(values)
    return 100 * sum(found) / len(found) if found else 0.0


def main_fact_right(candidate: Iterable[Fact], main: Fact) -> bool:
    """Say whether a fact is among others after lemmatising."""
    return lemmatised(main) in {lemmatised(fact) for fact in candidate}


def set_match(candidate: Iterable[Fact], gold: Iterable[Fact]) -> bool:
    """Say whether both sides state the same facts after lemmatising."""
    return {lemmatised(fact) for fact in candidate} == {lemmatised(fact) for fact in gold}


def spice_f(candidate: Iterable[Fact], gold: Iterable[Fact], synonyms: Synonyms = operator.eq) -> float:
    """Return F1 over tuples in [0, 1]; two empty sides agree."""
    found, expected = tuples(candidate), tuples(gold)
    if not found or not expected:
        return float(found == expected)
    equal, left = found & expected, sorted(expected - found)
    matched = len(equal)
    for one in sorted(found - equal):
        other = next((other for other in left if alike(one, other, synonyms)), None)
        if other:
            left.remove(other)
            matched += 1
    return 2 * matched / (len(found) + len(expected))


def alike(one: Tuple, other: Tuple, synonyms: Synonyms) -> bool:
    """Say whether two tuples are of one length and have the same words or synonyms."""
    return len(one) == len(other) and all(a == b or synonyms(a, b) for a, b in zip(one, other, strict=True))


def tuples(facts: Iterable[Fact]) -> set[Tuple]:
    """Return the SPICE tuples of facts (Anderson et al. 2016, section 3.2), lemmatised."""
    found: set[Tuple] = set()
    for fact in map(lemmatised, facts):
        found |= {(head,) for head in heads_of(fact)}
        if fact.kind == "relation":
            found.add((fact.subject, fact.predicate, fact.object))
        elif fact.predicate:
            found.add((fact.subject, fact.object))
    return found


def lemmatised(fact: Fact) -> Fact:
    """Return the fact in lower case with every word singular."""
    return Fact(*(singular_words(part) for part in (fact.subject, fact.predicate, fact.object)))


def singular_words(text: str) -> str:
    """Return the text in lower case with every word singular."""
    return " ".join(singular(word) for word in text.lower().split())


def read_gold_graphs(file: Path) -> list[GoldGraph]:
    """Return the rows of a FACTUAL file in order; columns other than caption and scene_graph are passed over.

    Raises BadFile for a file that is missing or of another kind, BadRow for a graph without a fact.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines, strict=True)
            missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
            if missing:
                raise BadFile(
                    file, f"expected the columns {' and '.join(COLUMNS)}, found no {' and no '.join(missing)}"
                )
            return [gold_graph(file, number, row) for number, row in enumerate(rows, start=2)]
    except OSError as error:
        raise BadFile(file, f"it cannot be read: {error.strerror}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise BadFile(file, f"expected CSV in UTF-8, but {error}") from error


def gold_graph(file: Path, number: int, row: Mapping[str, str | None]) -> GoldGraph:
    """Return one row. Raises BadRow."""
    caption, graph = row["caption"] or "", row["scene_graph"] or ""
    facts = read_facts(graph)
    if not facts:
        raise BadRow(file, number, "scene_graph", "facts such as ( man , hold , umbrella )", graph)
    main = read_facts(row.get("main") or "")
    return GoldGraph(caption, facts, main[0] if main else None, row.get("part") or "")
