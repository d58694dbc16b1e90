"""What a caption says, at once and without weights: its phrases, for pictures that nothing has looked at yet."""

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.captions.phrases import CaptionPhrase
    from core.models.language.dependency_parser import DependencyParser

MOST_TEXTS = 10  # of one person, that wait for the parser


def phrases_of(caption: str) -> "tuple[CaptionPhrase, ...]":
    """Return a caption's phrases in order of mention; the parser comes along, and is loaded with the first caption."""
    return parser().phrases([caption])[0]


@cache
def parser() -> "DependencyParser":
    """Return the bundled parser, loaded once."""
    from core.models.language.dependency_parser import DependencyParser  # loads spaCy

    return DependencyParser.load()
