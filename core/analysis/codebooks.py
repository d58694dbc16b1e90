"""Codebooks: categories of a metric's errors.

Two codebooks come from published papers. Users can load others from files.
"""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, NoReturn

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from core.errors import BadFile, NotFound
from core.foreign_values import counted, shaped, text, wrong

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
    """The error categories of one analysis.

    Coders choose a category with a digit key: 1 for the first category, 2 for the second, and so on.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")
    name: _Text
    source: _Text = ""
    codes: Annotated[
        tuple[Code, ...], counted(1, MOST_CODES, "codes"), AfterValidator(_different), Field(validate_default=True)
    ] = ()

    def label(self, key: str) -> str:
        """Return the label of the error category with this key. Raises NotFound."""
        for code in self.codes:
            if code.key == key:
                return code.label
        raise NotFound(
            f"The codebook {self.name} has no code {key!r}. Its codes: {', '.join(c.key for c in self.codes)}"
        )


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


def codebook_of(content: object, path: Path) -> Codebook:
    """Return the codebook (a list of error categories) that parsed JSON contains.

    path: the JSON file, for error messages. The JSON may name the source of the codebook, such as a paper. Otherwise
    the file's name is used as the source. Raises BadFile if the JSON is no valid codebook.
    """
    read = shaped(Codebook, content, partial(BadFile, path))
    return replace(read, source=read.source or path.name)
