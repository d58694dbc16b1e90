"""Error coding: coders assign categories of errors, from a codebook, to samples. Two codebooks come from papers.

The module also computes the agreement between coders, and defines the file formats.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from core.errors import BadFile, NotFound
from core.foreign_values import counted, shaped, text, wrong

if TYPE_CHECKING:
    import pandas as pd

MOST_CODES = 9  # maximum number of codes, because each code is chosen with one digit key of the keyboard
_Text = Annotated[str, text(200), AfterValidator(str.strip)]


def _refuse(found: object) -> NoReturn:
    raise wrong("no such name", found)


@dataclass(frozen=True, slots=True)
class Code:
    """One category of errors."""

    key: _Text  # short name that never changes; stored in the database
    label: _Text  # shown to coders
    published: Annotated[int | None, BeforeValidator(_refuse)] = None  # count in the paper; files must not contain it


def _different(codes: tuple[Code, ...]) -> tuple[Code, ...]:
    keys = [code.key for code in codes]
    if len(set(keys)) < len(keys):
        raise wrong("every key once", keys)
    return codes


@dataclass(frozen=True, slots=True)
class Codebook:
    """The error categories of one analysis. Coders choose the n-th category with the digit key n."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    name: _Text
    source: _Text = ""
    codes: Annotated[
        tuple[Code, ...], counted(1, MOST_CODES, "codes"), AfterValidator(_different), Field(validate_default=True)
    ] = ()

    def label(self, key: str) -> str:
        """Return the label of the error category with this key. Raises NotFound."""
        labels = {code.key: code.label for code in self.codes}
        if key not in labels:
            raise NotFound(f"The codebook {self.name} has no code {key!r}. Its codes: {', '.join(labels)}")
        return labels[key]


EXPERT_CODES = Codebook(
    name="expert",
    source="EXPERT (Kim et al., 2025), Appendix H: the 100 samples with the largest |metric score - human score|",
    codes=(
        Code("overpenalized-details", "Overpenalization of Captions Lacking Details", 45),
        Code("overestimated-incorrect", "Overestimation of Captions with Incorrect Details", 17),
        Code("overestimated-details", "Overestimation of Captions Lacking Details", 13),
        Code("misjudged-grammar", "Misjudgment of Captions with Grammatical Errors", 10),
        Code("human-error", "Human Annotation Errors", 8),
        Code("others", "Others", 7),
    ),
)
POLOS_CODES = Codebook(
    name="polos",
    source="Polos (Wada et al., 2024), Appendix C: 100 samples with |metric score - human score| of at least 0.25",
    codes=(  # as keys and labels, the abbreviations in the Polos paper
        Code("OCLD", "OCLD", 29),
        Code("OCID", "OCID", 22),
        Code("UCFA", "UCFA", 15),
        Code("SE", "SE", 11),
        Code("OGI", "OGI", 11),
        Code("AE", "AE", 9),
        Code("others", "Others", 3),
    ),
)
CODEBOOKS: tuple[Codebook, ...] = (EXPERT_CODES, POLOS_CODES)


@dataclass(frozen=True, slots=True)
class Coding:
    """The category of errors that one coder assigned to one sample."""

    sample: str  # key of the sample in its data set
    coder: str
    code: str  # key of a code of the codebook


@dataclass(frozen=True, slots=True)
class CodedSet:
    """A codebook (a list of error categories) and all its codings, at most one per sample and coder."""

    codebook: Codebook
    codings: tuple[Coding, ...]


def cohens_kappa(codings: Sequence[Coding]) -> list[dict[str, Any]]:
    """Return Cohen's kappa (1960) for every pair of coders, over the samples that both of them coded.

    Keys: coders, samples of both, exact (share of samples with the same code), Cohen’s κ, and note. A value is None if
    it is undefined. Then the note gives the reason.
    """
    import pandas as pd  # imported late, because most commands do not need it

    codes = pd.DataFrame([*codings], columns=["sample", "coder", "code"]).pivot(
        index="sample", columns="coder", values="code"
    )
    return [
        {"coders": f"{one}, {other}", **_kappa(codes[[one, other]].dropna().set_axis(["a", "b"], axis=1))}
        for one, other in combinations(sorted(codes), 2)
    ]


def _kappa(shared: "pd.DataFrame") -> dict[str, Any]:
    """Return a row of `cohens_kappa`. shared: columns a and b, with the codes of samples of both coders."""
    found: dict[str, Any] = {"samples of both": len(shared), "exact": None, "Cohen’s κ": None, "note": ""}
    if shared.empty:
        return found | {"note": "no sample has a code from both coders"}
    exact = float((shared["a"] == shared["b"]).mean())
    chance = float((shared["a"].value_counts() * shared["b"].value_counts()).sum()) / len(shared) ** 2
    if chance == 1:
        return found | {"exact": exact, "note": "both coders gave one and the same code to all samples"}
    return found | {"exact": exact, "Cohen’s κ": (exact - chance) / (1 - chance)}


def coded_set_json(coded: CodedSet) -> str:
    """Return a coded set (a codebook with codings) as JSON text, sorted by sample and coder."""
    codes = [{"key": code.key, "label": code.label} for code in coded.codebook.codes]
    book = {"name": coded.codebook.name, "source": coded.codebook.source, "codes": codes}
    ordered = sorted(coded.codings, key=lambda coding: (coding.sample, coding.coder))
    content = {"codebook": book, "codings": [asdict(coding) for coding in ordered]}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def codebook_of(content: object, path: Path) -> Codebook:
    """Return the codebook that parsed JSON contains. path: the JSON file, for messages. Raises BadFile.

    If the JSON does not name the codebook's source, the source is the file's name.
    """
    read = shaped(Codebook, content, partial(BadFile, path))
    return replace(read, source=read.source or path.name)
