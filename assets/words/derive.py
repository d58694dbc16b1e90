"""Derive nouns.tsv and verbs.tsv from WordNet 3.0.

    python -m assets.words.derive WORDNET_FOLDER FACTUAL_TRAIN.csv

WORDNET_FOLDER holds data.noun, index.noun, noun.exc, index.verb, verb.exc and cntlist.rev: Debian's package
wordnet-base puts them into /usr/share/wordnet. FACTUAL_TRAIN.csv says which nouns stand in captions of everyday
pictures. README.md says what is kept.
"""

import argparse
import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

HERE = Path(__file__).parent
TOPS, ANIMAL, ARTIFACT, BODY, FOOD, GROUP, OBJECT, PERSON, PLANT, SUBSTANCE = 3, 5, 6, 8, 13, 14, 17, 18, 20, 27
SEEN = frozenset(
    {TOPS, ANIMAL, ARTIFACT, BODY, FOOD, GROUP, OBJECT, PERSON, PLANT, SUBSTANCE}
)  # WordNet's lexicographer files
PLAIN = frozenset({ANIMAL, ARTIFACT, FOOD, PERSON})  # of these, nouns of one meaning are kept though rare
MOST_SENSES = 3  # of a noun, the first that can be seen
DOMINANT = 5  # times as often as another sense, in WordNet's counted texts, makes the other one negligible
SHALLOWEST = 6  # steps below "entity"; above are "artifact", "organism", "instrumentality": said of nothing in captions
LONGEST = 3  # words of a noun
WORD = re.compile(r"[a-z]+(?:[ '-][a-z]+)*")


@dataclass(slots=True)
class Synset:
    """One meaning and the nouns for it."""

    file: int  # WordNet's lexicographer file
    nouns: tuple[str, ...]
    wider: tuple[str, ...]  # ids of its hypernyms, classes of which it is an instance included
    kept: dict[str, int] = field(default_factory=dict)  # noun -> place of this meaning among the noun's kept ones


def main() -> None:
    """Write both tables beside this file."""
    arguments = argparse.ArgumentParser(description=__doc__)
    for name in ("wordnet", "captions"):
        arguments.add_argument(name, type=Path)
    given = arguments.parse_args()
    with given.captions.open(encoding="utf-8", newline="") as rows:
        said = runs(row["caption"].lower() for row in csv.DictReader(rows))
    synsets = read_synsets(given.wordnet / "data.noun")
    plurals = {line.split()[0] for line in lines(given.wordnet / "noun.exc")}
    senses = {noun: found for noun, found in read_senses(given.wordnet / "index.noun").items() if noun not in plurals}
    keep(synsets, senses, read_counts(given.wordnet / "cntlist.rev"), said)
    table = table_of(synsets)
    table.doubtful.update(rather_adjectives(given.wordnet / "cntlist.rev"))
    add_own(table, (HERE / "own.tsv").read_text(encoding="utf-8").splitlines())
    write("nouns.tsv", rows_of(table))
    write("verbs.tsv", chain(lemmas(given.wordnet / "index.verb"), irregular(given.wordnet / "verb.exc")))


def runs(captions: Iterable[str]) -> frozenset[str]:
    """Return all runs of up to three words, a plural "s" at their end left out too."""
    found: set[str] = set()
    for caption in captions:
        words = re.findall(r"[a-z]+(?:['-][a-z]+)*", caption)
        for count in range(1, LONGEST + 1):
            found |= {" ".join(words[start : start + count]) for start in range(len(words) - count + 1)}
    shorter = (run[: -len(ending)] for run in found for ending in ("s", "es") if run.endswith(ending))
    return frozenset(found | set(shorter))


def read_synsets(file: Path) -> dict[str, Synset]:
    """Return the meanings by their offset in data.noun."""
    synsets = {}
    for line in lines(file):
        words = line.split(" | ")[0].split()
        count = int(words[3], 16)
        nouns = tuple(noun.replace("_", " ") for noun in words[4 : 4 + 2 * count : 2])
        pointers = words[5 + 2 * count :]
        wider = tuple(pointers[k + 1] for k in range(0, len(pointers) - 3, 4) if pointers[k] in ("@", "@i"))
        synsets[words[0]] = Synset(int(words[1]), nouns, wider)
    return synsets


def read_senses(file: Path) -> dict[str, list[str]]:
    """Return the meanings of each noun, the most frequent first."""
    rows = (line.split() for line in lines(file))
    return {row[0].replace("_", " "): row[-int(row[2]) :] for row in rows}


def read_counts(file: Path) -> dict[tuple[str, int], int]:
    """Return how often a noun's n-th meaning, from 1, stands in WordNet's counted texts."""
    rows = (line.split() for line in file.read_text(encoding="utf-8").splitlines())
    return {(key.split("%")[0].replace("_", " "), int(number)): int(count) for key, number, count in rows
            if key.split("%")[1].startswith("1:")}  # fmt: skip


def rather_adjectives(file: Path) -> Iterator[str]:
    """Yield words that WordNet's counted texts have more often as an adjective than as a noun: "white"."""
    counted: dict[str, int] = defaultdict(int)
    for row in (line.split() for line in file.read_text(encoding="utf-8").splitlines()):
        word, _, kind = row[0].partition("%")
        counted[word] += {"1": -1, "3": 1, "5": 1}.get(kind[0], 0) * int(row[2])
    return (word for word, more in counted.items() if more > 0)


def keep(
    synsets: Mapping[str, Synset],
    senses: Mapping[str, list[str]],
    counts: Mapping[tuple[str, int], int],
    said: frozenset[str],
) -> None:
    """Mark which nouns of which meanings are kept."""
    for noun, meanings in senses.items():
        if not WORD.fullmatch(noun) or noun.count(" ") >= LONGEST:
            continue
        seen = [number for number, offset in enumerate(meanings, start=1) if synsets[offset].file in SEEN]
        first = synsets[meanings[0]]
        common = noun in first.nouns  # in lower case, so no name
        plain = common and (first.file == PERSON or (len(meanings) == 1 and first.file in PLAIN))  # "baker" has three
        counted = {number: counts.get((noun, number), 0) for number in range(1, len(meanings) + 1)}
        if noun in said or (plain and noun.isalpha()) or any(counted[number] for number in seen):
            files = {number: synsets[meanings[number - 1]].file for number in seen}
            for place, number in enumerate(likely(seen, files, counted)):
                synsets[meanings[number - 1]].kept[noun] = place


def likely(seen: list[int], files: Mapping[int, int], counted: Mapping[int, int]) -> list[int]:
    """Return the meanings that a caption may have in mind, the likeliest first.

    People called by the name of something else ("dog", "turkey", "trick") are left out, and so are meanings that the
    counted texts have far less often than another one.
    """
    most = max(counted.values())
    usual = [number for number in seen if most < DOMINANT * (counted[number] + 1)]
    things = [number for number in usual if files[number] != PERSON]
    known = {n for n in usual if files[n] == PERSON and (counted[n] or not most or n == 1)}
    people = {n for n in known if not things or (counted[n] and things[0] > n)}
    kept = [number for number in usual if number in people or files[number] != PERSON]
    return sorted(kept, key=lambda n: (-counted[n], files[n] != ANIMAL, n))[:MOST_SENSES]  # a leopard before its pelt


@dataclass(slots=True)
class Table:
    """The wider meanings of each meaning, all by their numbers, and each noun's meanings, the likeliest first."""

    wider: list[set[int]]
    senses: dict[str, list[int]]
    doubtful: set[str] = field(default_factory=set)  # nouns that may well mean something else

    def find(self, noun: str) -> int:
        """Return what a noun, or its n-th meaning with "/n", means."""
        name, _, place = noun.partition("/")
        if name not in self.senses:
            raise SystemExit(f"own.tsv: {noun!r} is not in the table")
        return self.senses[name][int(place or 0)]


def table_of(synsets: Mapping[str, Synset]) -> Table:
    """Return the kept meanings as a table."""
    kept = [offset for offset, synset in synsets.items() if synset.kept]
    number = {offset: place for place, offset in enumerate(kept)}
    kinds = {offset for offset in kept if depth(synsets, offset) >= SHALLOWEST or "food" in synsets[offset].kept}
    wider = [{number[above] for above in nearest(synsets, offset, kinds)} for offset in kept]
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for offset in kept:
        for noun, place in synsets[offset].kept.items():
            places[noun].append((place, number[offset]))
    return Table(wider, {noun: [n for _, n in sorted(found)] for noun, found in places.items()})


def add_own(table: Table, lines: Iterable[str]) -> None:
    """Change the table as own.tsv says, from its first line to its last."""
    for line in lines:
        if line.startswith("#"):
            continue
        left, sign, *right = line.split("\t")
        nouns, others = left.split("|"), [table.find(noun) for text in right for noun in text.split("|")]
        table.doubtful.difference_update(nouns if sign in "=<!" else ())
        if sign == "!":
            continue
        if sign == "?":
            table.doubtful.update(nouns)
        elif sign == "=":
            for noun in nouns:
                table.senses[noun] = [others[0]]
        elif sign == "<<":
            for noun in nouns:
                table.wider[table.find(noun)].update(others)
        else:
            number = len(table.wider)
            table.wider.append(set(others) if sign == "<" else set())
            for other in others if sign == ">" else ():
                table.wider[other].add(number)
            for noun in nouns:
                known = table.senses.get(noun, [])
                table.senses[noun] = [number, *known] if sign == "<" else [*known, number]


def rows_of(table: Table) -> Iterator[str]:
    """Yield a row for each meaning: its nouns with the meaning's place among theirs, and the wider meanings."""
    nouns: dict[int, list[str]] = defaultdict(list)
    for noun, meanings in sorted(table.senses.items()):
        for place, meaning in enumerate(meanings):
            nouns[meaning].append(f"{noun}/{place}" if place else noun)
    for number, wider in enumerate(table.wider):
        yield f"{'|'.join(nouns[number])}\t{' '.join(map(str, sorted(wider)))}"
    yield "|".join(f"{noun}/?" for noun in sorted(table.doubtful & table.senses.keys())) + "\t"


def nearest(synsets: Mapping[str, Synset], offset: str, kinds: Set[str]) -> Iterator[str]:
    """Yield the nearest meanings above one that are kinds of things in pictures."""
    for above in synsets[offset].wider:
        if above in kinds:
            yield above
        else:
            yield from nearest(synsets, above, kinds)


def depth(synsets: Mapping[str, Synset], offset: str) -> int:
    """Return the most steps from a meaning up to the root, "entity"."""
    return 1 + max((depth(synsets, above) for above in synsets[offset].wider), default=-1)


def lemmas(file: Path) -> list[str]:
    """Return the verbs of one word."""
    return sorted({line.split()[0] for line in lines(file) if line.split()[0].isalpha()})


def irregular(file: Path) -> list[str]:
    """Return the irregular forms of verbs of one word, each with its lemma."""
    rows = (line.split() for line in lines(file))
    return sorted({f"{row[0]}\t{row[1]}" for row in rows if row[0].isalpha() and row[1].isalpha()})


def lines(file: Path) -> Iterator[str]:
    """Yield the lines of a WordNet file after its licence, which is indented."""
    return (line for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith(" "))


def write(name: str, rows: Iterable[str]) -> None:
    """Write a table."""
    text = "".join(f"{row}\n" for row in rows)
    (HERE / name).write_text(text, encoding="utf-8")
    print(f"{name}: {text.count(chr(10))} rows, {len(text)} bytes")


if __name__ == "__main__":
    main()
