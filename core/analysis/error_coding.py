"""Error coding: each coder assigns an error category to each sample.

The module also counts the categories, computes the agreement between coders, and defines the file format.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Annotated

from pydantic import ConfigDict, StringConstraints

from core.analysis.codebooks import Codebook
from core.errors import BadFile
from core.foreign_values import shaped

_Word = Annotated[str, StringConstraints(pattern=r"\S")]


@dataclass(frozen=True, slots=True)
class Coding:
    """The category of errors that one coder assigned to one sample."""

    sample: _Word  # key of the sample in its data set
    coder: _Word
    code: _Word  # key of a code of the codebook


@dataclass(frozen=True, slots=True)
class CodedSet:
    """A codebook (a list of error categories) and all its codings, at most one per sample and coder."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    codebook: Codebook
    codings: tuple[Coding, ...]


@dataclass(frozen=True, slots=True)
class CoderAgreement:
    """Agreement of two coders: Cohen's kappa.

    A value is None if it is undefined. Then `note` gives the reason.
    """

    first: str
    second: str
    n: int  # number of samples that both coders coded
    exact: float | None  # share of jointly coded samples to which both coders gave the same code, [0, 1]
    kappa: float | None  # Cohen's kappa, at most 1; 0: agreement is as large as by chance
    note: str = ""


@dataclass(frozen=True, slots=True)
class CodeCount:
    """Number of samples to which coders assigned one error category (a code of a codebook).

    Published papers print tables of such numbers.
    """

    code: str
    label: str
    count: int
    share: float | None  # share of all counted codings that have this code, [0, 1]; None: there are no codings
    published: int | None  # how often coders gave this code in the codebook's paper


def cohens_kappa(codings: Sequence[Coding]) -> list[CoderAgreement]:
    """Return Cohen's kappa (1960) for every pair of coders, over the samples that both of them coded."""
    by_coder: dict[str, dict[str, str]] = {}
    for coding in codings:
        by_coder.setdefault(coding.coder, {})[coding.sample] = coding.code
    return [_kappa(a, b, by_coder[a], by_coder[b]) for a, b in combinations(sorted(by_coder), 2)]


def _kappa(first: str, second: str, a: dict[str, str], b: dict[str, str]) -> CoderAgreement:
    shared = sorted(a.keys() & b.keys())
    n = len(shared)
    if n == 0:
        return CoderAgreement(first, second, 0, None, None, "no sample has a code from both coders")
    exact = sum(a[sample] == b[sample] for sample in shared) / n
    counts_a, counts_b = Counter(a[sample] for sample in shared), Counter(b[sample] for sample in shared)
    chance = sum(counts_a[code] * counts_b[code] for code in counts_a) / n**2
    if chance == 1:
        return CoderAgreement(first, second, n, exact, None, "both coders gave one and the same code to all samples")
    return CoderAgreement(first, second, n, exact, (exact - chance) / (1 - chance))


def code_counts(coded: CodedSet, coder: str | None = None) -> list[CodeCount]:
    """Count the samples of each code, including unused codes.

    coder: the coder whose codings are counted; None: the codings of all coders are counted.
    """
    counts = Counter(coding.code for coding in coded.codings if coder in (None, coding.coder))
    total = sum(counts.values())
    return [
        CodeCount(code.key, code.label, counts[code.key], counts[code.key] / total if total else None, code.published)
        for code in coded.codebook.codes
    ]


def coded_set_json(coded: CodedSet) -> str:
    """Return a coded set (a codebook with codings) as JSON text, sorted by sample and coder."""
    codes = [{"key": code.key, "label": code.label} for code in coded.codebook.codes]
    book = {"name": coded.codebook.name, "source": coded.codebook.source, "codes": codes}
    ordered = sorted(coded.codings, key=lambda coding: (coding.sample, coding.coder))
    content = {"codebook": book, "codings": [asdict(coding) for coding in ordered]}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def coded_set_of(content: object, path: Path, codebooks: Sequence[Codebook] = ()) -> CodedSet:
    """Return the coded set (a codebook with codings) that parsed JSON contains.

    path: the JSON file, for error messages. codebooks: known codebooks. If the JSON's codebook has the same name, keys
    and labels as a known codebook, the known codebook is used. A paper may have published how often each error category
    occurred. For a known codebook, these counts are taken from Capscope, not from the file.

    Raises BadFile for an unknown field or a code that is not in the codebook. Also raises BadFile if a coder coded a
    sample twice.
    """
    read = shaped(CodedSet, content, lambda text: BadFile(path, f"{text}; export a coded set to see an example"))
    own = replace(read.codebook, source=read.codebook.source or path.name)
    book = next((known for known in codebooks if _same(known, own)), own)
    for number, coding in enumerate(read.codings, 1):
        if coding.code not in {code.key for code in book.codes}:
            raise BadFile(
                path, f"expected a code of the codebook {book.name} in entry {number} of codings, found {coding.code!r}"
            )
    twice = [pair for pair, n in Counter((c.sample, c.coder) for c in read.codings).items() if n > 1]
    if twice:
        raise BadFile(
            path, f"each coder may give a sample one code, but {twice[0][1]} gave {twice[0][0]} several codes"
        )
    return CodedSet(book, read.codings)


def _same(known: Codebook, read: Codebook) -> bool:
    def names(book: Codebook) -> list[tuple[str, str]]:
        return [(code.key, code.label) for code in book.codes]

    return known.name == read.name and names(known) == names(read)
