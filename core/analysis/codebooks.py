"""Codebooks: categories of a metric's errors.

Two codebooks come from the papers. Users can load others from files.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import BadFile, NotFound

MOST_CODES = 9  # because each code has one digit key
_TEXT_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Code:
    """One category of errors."""

    key: str  # short and stable; stored in the database
    label: str  # shown to coders
    published: int | None = None  # how often the paper found this error


@dataclass(frozen=True, slots=True)
class Codebook:
    """The error categories of one analysis, in the order of their digit keys, starting with 1."""

    name: str
    source: str
    codes: tuple[Code, ...]  # 1 to 9, keys all different

    def label(self, key: str) -> str:
        """Return the label of the code with a key. Raises NotFound."""
        for code in self.codes:
            if code.key == key:
                return code.label
        raise NotFound(
            f"The codebook {self.name} has no code {key!r}. Its codes: {', '.join(c.key for c in self.codes)}"
        )


EXPERT_CODES = Codebook(
    name="expert",
    source="EXPERT (Kim et al., 2025), Appendix H: the 100 samples with the largest |metric - human|",
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
    source="Polos (Wada et al., 2024), Appendix C: 100 samples with |metric - human| of at least 0.25",
    codes=(  # codes are abbreviated as in the paper
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


def codebook_of(content: Any, path: Path) -> Codebook:
    """Return the codebook in parsed JSON.

    `path` is used only in error messages. Raises BadFile.
    """
    fields = _fields(content, path, "the codebook", {"name", "codes"}, {"source"})
    entries = fields["codes"]
    if not isinstance(entries, list) or not 1 <= len(entries) <= MOST_CODES:
        raise BadFile(path, f"the field codes must be a list of 1 to {MOST_CODES} codes, found {_shape(entries)}")
    codes = []
    for number, entry in enumerate(entries, start=1):
        code = _fields(entry, path, f"code {number}", {"key", "label"}, set())
        codes.append(Code(_text(code, "key", path, f"code {number}"), _text(code, "label", path, f"code {number}")))
    keys = [code.key for code in codes]
    if len(set(keys)) < len(keys):
        raise BadFile(path, f"each key of a code must be unique, found {keys}")
    source = _text(fields, "source", path, "the codebook") if "source" in fields else path.name
    return Codebook(_text(fields, "name", path, "the codebook"), source, tuple(codes))


def _fields(content: Any, path: Path, where: str, needed: set[str], allowed: set[str]) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise BadFile(path, f"{where} must be an object, found {_shape(content)}")
    missing, unknown = needed - content.keys(), content.keys() - needed - allowed
    if missing or unknown:
        raise BadFile(path, f"expected {where} with {', '.join(sorted(needed))}, found {', '.join(sorted(content))}")
    return content


def _text(fields: dict[str, Any], name: str, path: Path, where: str) -> str:
    value = fields[name]
    if not isinstance(value, str) or not value.strip() or len(value) > _TEXT_LIMIT:
        raise BadFile(path, f"{name} of {where} must be a text of 1 to {_TEXT_LIMIT} characters, found {value!r}")
    return value.strip()


def _shape(value: Any) -> str:
    return f"{len(value)} of them" if isinstance(value, list) else f"{type(value).__name__}"
