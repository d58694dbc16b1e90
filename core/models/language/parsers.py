"""Scene-graph parsers, which turn captions into facts, and a function to load them by name.

"spacy": the bundled spaCy pipeline and dependency rules. It works on any machine without a download.
"factual": FACTUAL's own flan-t5 model, which must be downloaded.
Neither spaCy nor transformers is imported before a parser is loaded.
"""

from collections.abc import Sequence
from typing import Protocol

from core.captions.phrases import PhraseExtractor, SpottedFact
from core.errors import BadSetting
from core.models import ModelSettings

SPACY, FACTUAL = "spacy", "factual"
PARSERS = (SPACY, FACTUAL)


class SceneGraphParser(PhraseExtractor, Protocol):
    """A phrase extractor that can also return the facts from which it makes the phrases."""

    def facts(self, captions: Sequence[str]) -> list[tuple[SpottedFact, ...]]:
        """Return each caption's facts without repeats. An empty caption has no facts."""
        ...


def load_scene_graph_parser(name: str, settings: ModelSettings) -> SceneGraphParser:
    """Load the parser with this name. Raises BadSetting for an unknown name, ModelUnavailable for missing weights."""
    if name == SPACY:
        from core.models.language.dependency_parser import DependencyParser

        return DependencyParser.load()
    if name == FACTUAL:
        from core.models.language.factual_parser import FactualParser

        return FactualParser.load(settings)
    raise BadSetting(f"parser: expected {' or '.join(PARSERS)}, found {name!r}")
