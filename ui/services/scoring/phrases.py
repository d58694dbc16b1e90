"""Find a caption's phrases immediately and without model weights.

Pages show these phrases for pictures that no model has processed yet.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING

from core.errors import ModelUnavailable
from core.installation import missing_package

if TYPE_CHECKING:
    from core.captions.phrases import CaptionPhrase
    from core.models.parser import DependencyParser

MOST_TEXTS = 10  # maximum number of texts of one client that may wait for the parser


def phrases_of(caption: str) -> "tuple[CaptionPhrase, ...]":
    """Return a caption's phrases in order of mention. The first call loads the parser."""
    return parser().phrases([caption])[0]


def can_read() -> bool:
    """Return whether the parser's packages are installed. An installation only for rating lacks them."""
    return find_spec("spacy") is not None and find_spec("threadpoolctl") is not None


def parser() -> "DependencyParser":
    """Return the bundled parser, which is loaded once. Raises ModelUnavailable if its packages are missing."""
    try:
        from core.models.parser import bundled_parser  # imports spaCy

        return bundled_parser()
    except ModuleNotFoundError as error:
        raise ModelUnavailable(missing_package(error.name) or str(error)) from error
