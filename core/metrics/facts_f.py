"""Facts F: how many facts a caption shares with its references.

A fact is a thing, an attribute or a relation: "dog", "brown dog", "dog on grass". Capscope's own parser extracts the
facts, and its table of nouns has the synonyms. The F measure over facts is that of SPICE (Anderson et al. 2016,
https://arxiv.org/abs/1607.08822, section 3.3), but parser and synonyms differ. So the scores are not SPICE scores, and
the metric has its own name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from core.captions.fact_scores import Tuple, alike, lemmatised, tuples_of
from core.captions.language import may_be_english
from core.captions.nouns import bundled_nouns
from core.captions.phrases import CaptionPhrase
from core.captions.shared_words import MOST_PLACES, Listed, Span, listed
from core.metrics.classic import Classic
from core.models import ModelSettings
from core.types import EvaluationError, Match, Outcome, Sample

AT_A_TIME = 64  # samples whose texts are parsed together
KEPT = 20_000  # maximum number of texts whose facts are cached; captions of a picture share references


@dataclass(frozen=True, slots=True)
class Stated:
    """The words and positions with which a text states a fact."""

    words: str  # the text's own words without articles, e.g. "brown dog"
    spans: tuple[Span, ...]  # character positions of the fact in the text, in order of mention


Facts = Mapping[Tuple, Stated]


@dataclass(frozen=True, slots=True)
class Compared:
    """The facts of a caption, the facts of all its references, and the facts that they share."""

    caption: Facts
    references: tuple[Facts, ...]
    same: Mapping[Tuple, frozenset[Tuple]]  # key: fact of the caption; value: equal or synonymous reference facts
    wanted: tuple[Tuple, ...]  # all facts of the references

    @property
    def missing(self) -> tuple[Tuple, ...]:
        """The references' facts that the caption does not state."""
        stated = frozenset().union(*self.same.values())
        return tuple(one for one in self.wanted if one not in stated)

    @property
    def precision(self) -> float:
        """Share of the caption's facts that a reference states, in [0, 1]; 0 if the caption has none."""
        return sum(map(bool, self.same.values())) / max(1, len(self.caption))

    @property
    def recall(self) -> float:
        """Share of the references' facts that the caption states, in [0, 1]; 0 if the references have none."""
        return 1 - len(self.missing) / len(self.wanted) if self.wanted else 0.0


def compared(caption: Facts, references: Sequence[Facts]) -> Compared:
    """Compare the facts of a caption with the facts of all references together.

    Repeated facts count once.
    """
    nouns = bundled_nouns()
    wanted = tuple(dict.fromkeys(one for facts in references for one in facts))
    same = {
        fact: frozenset(other for other in wanted if fact == other or alike(fact, other, nouns.synonyms))
        for fact in caption
    }
    return Compared(caption, tuple(references), same, wanted)


def facts_of(phrases: Sequence[CaptionPhrase]) -> Facts:
    """Return the facts that a text states, with their positions. Denied facts are excluded."""
    found: dict[Tuple, list[Span]] = {}
    words: dict[Tuple, str] = {}
    for one in phrases:
        if one.fact is not None and one.claim == "stated":
            places = [thing.span for thing in one.things]
            for number, stated in enumerate(tuples_of(lemmatised(one.fact))):
                is_thing = len(stated) == 1 and number < len(places)
                found.setdefault(stated, []).append(places[number] if is_thing else one.span)
                thing = one.things[number].text if is_thing else one.shown
                words.setdefault(stated, thing or " ".join(stated))
    return {stated: Stated(words[stated], tuple(dict.fromkeys(spans))) for stated, spans in found.items()}


def match_of(fact: Tuple, found: Compared, same: frozenset[Tuple]) -> Match:
    """Return a fact's words, and its positions in the caption and the references.

    If the caption states the fact, the words are the caption's. Otherwise they are from the first reference that states
    it. same: the facts in the references that are equal or synonymous to this fact.
    """
    texts = [text[fact] for text in (found.caption, *found.references) if fact in text]
    places = found.caption[fact].spans if fact in found.caption else ()
    held = [
        (number, *span)
        for number, facts in enumerate(found.references)
        for one, stated in facts.items()
        if one in same
        for span in stated.spans
    ]
    return Match(texts[0].words, "fact", len(fact), tuple(places[:MOST_PLACES]), tuple(held[:MOST_PLACES]))


class FactsF(Classic):
    """F measure of the precision and recall of a caption's facts."""

    name: ClassVar[str] = "Facts F"
    paper: ClassVar[str] = "https://arxiv.org/abs/1607.08822"
    meanings: ClassVar[Mapping[str, str]] = {
        "precision": "Share of the caption's facts that also occur in a reference.",
        "recall": "Share of the references' facts that also occur in the caption.",
    }

    def __init__(self, settings: ModelSettings) -> None:
        """Load the parser. Raises BadSetting if an option is set, ModelUnavailable."""
        from core.models.language.dependency_parser import DependencyParser  # loads spaCy

        super().__init__(settings)
        self._parser = DependencyParser.load()
        self._kept: dict[str, Facts] = {}

    def signed(self) -> Mapping[str, str | float]:
        """Return the settings that are part of the signature: the parser's and the noun table's names."""
        return {"phrases": self._parser.name, "nouns": bundled_nouns().name}

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome per sample, in order, lazily. Texts of several samples are parsed together."""
        for start in range(0, len(samples), AT_A_TIME):
            batch = samples[start : start + AT_A_TIME]
            self._read([text for one in batch for text in (one.candidate, *one.references)])
            yield from super().score(batch)

    def judged(self, sample: Sample, signed: str) -> Outcome:
        """Return the outcome of one sample.

        The outcome is an error if the caption or all references do not look English.
        """
        readable = [text for text in sample.references if may_be_english(text)]
        if may_be_english(sample.candidate) and readable:
            return super().judged(sample, signed)
        text = "The caption does" if readable else "The references do"
        message = f"{text} not look English, and {self.name} reads English only."
        return EvaluationError(self.name, signed, "not_english", message)

    def value_of(self, sample: Sample) -> tuple[float, Mapping[str, float]]:
        """Return the F measure, with precision and recall."""
        found = self._compared(sample)
        both = found.precision + found.recall
        value = 2 * found.precision * found.recall / both if both else 0.0
        return value, {"precision": found.precision, "recall": found.recall}

    def matches(self, sample: Sample) -> Listed:
        """Return the caption's facts in order of mention, then the facts that only references state."""
        found = self._compared(sample)
        stated = [match_of(one, found, found.same[one]) for one in found.caption]
        return listed(stated) + listed([match_of(one, found, frozenset({one})) for one in found.missing])

    def _compared(self, sample: Sample) -> Compared:
        self._read((sample.candidate, *sample.references))
        return compared(self._kept[sample.candidate], [self._kept[text] for text in sample.references])

    def _read(self, texts: Sequence[str]) -> None:
        """Parse the texts that are not in the cache. Afterwards the cache contains all texts."""
        if len(self._kept) > KEPT:
            self._kept = {}
        unread = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if unread:
            self._kept |= zip(unread, map(facts_of, self._parser.phrases(unread)), strict=True)
