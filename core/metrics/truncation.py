"""Report captions that are longer than an encoder's limit of tokens."""

from collections.abc import Mapping, Sequence

from core.models.device import TokensRead
from core.types import Components

TRUNCATED = "truncated"  # component of a score whose caption was truncated; storage searches for this name
MEANINGS: Mapping[str, str] = {
    TRUNCATED: (
        "Number of tokens that the metric read, and number of tokens of the whole caption. Tokens that were not "
        "read have no effect on the score."
    ),
    "truncated_references": "Number of references that the metric did not read completely.",
}


def truncation(caption: TokensRead, references: Sequence[TokensRead] = ()) -> Components:
    """Return components of a score that state which texts were truncated.

    The result is empty if no text of the sample was truncated.
    """
    cut = sum(read < there for read, there in references)
    of_caption = {TRUNCATED: (float(caption[0]), float(caption[1]))} if caption[0] < caption[1] else {}
    return {**of_caption, **({"truncated_references": float(cut)} if cut else {})}
