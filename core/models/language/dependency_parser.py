"""Facts by dependency rules over the bundled spaCy pipeline (assets/language): no download, no GPU."""

import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.captions import noun_pieces as caption_pieces
from core.captions import rules as dependency_rules
from core.captions.conventions import BE
from core.captions.mention import Mention
from core.captions.phrases import AttributeStyle, CaptionPhrase, SpottedFact, as_phrases, first_mentions
from core.captions.tree import Token, Tree
from core.captions.tree import tree as tree_of
from core.captions.verb_forms import TABLE as VERBS
from core.captions.verb_forms import VerbForms
from core.captions.words import Word, sentences, words
from core.errors import ModelUnavailable
from core.models.language.spacy_import import import_spacy
from core.models.runtime.threads import one_thread

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.tokens import Token as SpacyToken

ASSETS = Path(__file__).parents[3] / "assets" / "language"

MOST_WORDS = 200  # of a sentence, marks included: the cost of some rules grows with its square
MOST_WORDS_OF_TEXT = 1_000  # about 5,500 characters of English
MOST_SENTENCES = 150  # of a caption: each one costs as much as two words, however short it is
SPARE_WORDS, LETTERS_OF_WORD = 60, 4  # words that even a short caption may have, and characters of each further one
FINITE = frozenset({"VB", "VBP", "VBZ"})

Sentence = tuple[caption_pieces.Piece, ...]


class DependencyParser:
    """Tags and parses captions with spaCy, then reads facts off the trees.

    Reads at most MOST_WORDS words of a sentence, and MOST_SENTENCES sentences and most_words(caption) words of a
    caption; the rest states nothing. So a caption costs no more than plain English of its length.
    """

    def __init__(
        self, pipeline: "Language", verbs: VerbForms, compounds: Sequence[tuple[str, str]], style: AttributeStyle
    ) -> None:
        """Take a pipeline with tagger and parser, and pairs of a run of words and how it is read."""
        self._pipeline, self._verbs, self._style = pipeline, verbs, style
        self._readings = caption_pieces.readings(run for run, kind in compounds if kind == "thing")
        related = (((*run.split(),), kind) for run, kind in compounds if kind != "thing")
        self._compounds = {(run[0], run[1]): kind for run, kind in related}
        self._one_at_a_time = threading.Lock()  # spaCy's vocabulary grows while it parses

    @classmethod
    def load(cls, folder: Path = ASSETS, style: AttributeStyle = "literal") -> "DependencyParser":
        """Return the parser over a folder with pipeline/ and compounds.tsv. Raises ModelUnavailable without it."""
        if not (folder / "pipeline" / "config.cfg").is_file():
            raise ModelUnavailable(
                f"the language pipeline is not at {folder / 'pipeline'}; it comes with the repository, "
                f"or train it as {folder / 'README.md'} says"
            )
        verbs = VerbForms.read(VERBS)
        return cls(import_spacy().load(folder / "pipeline"), verbs, read_compounds(folder), style)

    @property
    def name(self) -> str:
        """Return e.g. ``rules-ewt@1.0.0``: the pipeline's version, and the style of attributes if not literal."""
        style = "" if self._style == "literal" else f",{self._style}"
        return f"rules-ewt@{self._pipeline.meta['version']}{style}"

    def facts(self, captions: Sequence[str]) -> list[tuple[SpottedFact, ...]]:
        """Return each caption's facts in order of mention."""
        return [self._spotted(trees) for trees in self._parsed(captions)]

    def phrases(self, captions: Sequence[str]) -> list[tuple[CaptionPhrase, ...]]:
        """Return each caption's facts as phrases."""
        parsed = self._parsed(captions)
        return [as_phrases((*self._spotted(trees), *self._unsaid(trees)), self._style) for trees in parsed]

    def tokens_read(self, caption: str) -> tuple[int, int]:
        """Return (0, 0): the parser reads captions of any length."""
        return 0, 0

    def trees(self, text: str) -> tuple[Tree, ...]:
        """Return the tree of each sentence of a text, its words where they stand in the text."""
        return self._parsed([text])[0]

    def _parsed(self, captions: Sequence[str]) -> list[tuple[Tree, ...]]:
        cut = [list(self._sentences(caption)) for caption in captions]
        parsed = iter(self._trees(sentence for sentences in cut for sentence in sentences))
        return [tuple(next(parsed) for _ in sentences) for sentences in cut]

    def _sentences(self, caption: str) -> Iterator[Sentence]:
        left, sentences_left = most_words(caption), MOST_SENTENCES
        for start, end in sentences(caption):
            found = words(caption, start, end)[: min(MOST_WORDS, left)]
            left -= len(found)
            if any(_is_readable(word) for word in found):
                if not sentences_left:
                    return
                sentences_left -= 1
                yield tuple(caption_pieces.pieces(found, self._readings))

    def _trees(self, cut: Iterable[Sentence]) -> list[Tree]:
        kept = list(cut)
        with self._one_at_a_time, one_thread():
            docs = self._pipeline.pipe([self._unparsed(sentence) for sentence in kept])
            return [parsed_tree(sentence, doc, self._verbs) for sentence, doc in zip(kept, docs, strict=True)]

    def _unparsed(self, sentence: Sentence) -> "Doc":
        from spacy.tokens import Doc

        doc = Doc(self._pipeline.vocab, words=[piece.seen for piece in sentence])
        for token in doc[1:]:
            token.is_sent_start = False  # one sentence, one tree: captions seldom end in a full stop
        return doc

    def _spotted(self, trees: Sequence[Tree]) -> tuple[SpottedFact, ...]:
        return first_mentions(
            SpottedFact(mention.fact, tree.span(mention.words), places(tree, mention))
            for tree in trees
            for mention in dependency_rules.mentions(tree, self._compounds)
        )

    def _unsaid(self, trees: Sequence[Tree]) -> Iterator[SpottedFact]:
        for tree in trees:
            for mention in dependency_rules.things_without_facts(tree, self._compounds):
                yield SpottedFact(mention.fact, tree.span(mention.words), places(tree, mention))


def most_words(caption: str) -> int:
    """Return how many words of a caption are read, marks included: more than English of its length has."""
    return min(MOST_WORDS_OF_TEXT, SPARE_WORDS + len(caption) // LETTERS_OF_WORD)


def _is_readable(word: Word) -> bool:
    """Whether a word holds a letter or a digit; a sentence of marks alone states nothing."""
    return any(letter.isalnum() for letter in word.text)


def places(tree: Tree, mention: Mention) -> tuple[tuple[int, int], ...]:
    """Return the characters of the things that a fact is about."""
    about = (mention.subject, mention.object) if mention.fact.kind == "relation" else (mention.subject,)
    return tuple(tree.span([token]) for token in about)


def read_compounds(folder: Path) -> list[tuple[str, str]]:
    """Return the runs of words of compounds.tsv, each with how it is read: "thing", "have" or "in"."""
    rows = (folder / "compounds.tsv").read_text(encoding="utf-8").splitlines()
    return [(run, use) for run, use in (row.split("\t") for row in rows)]


def known_tag(word: str, token: "SpacyToken", verbs: VerbForms) -> str:
    """Return a word's tag; beside a noun ("eggs and potatoes") a finite verb that no list of verbs has is another."""
    beside_noun = token.dep_ == "conj" and token.head.tag_.startswith("NN")
    if token.tag_ not in FINITE or not beside_noun or word in BE or verbs.lemma(word):
        return str(token.tag_)
    return "NNS" if word.endswith("s") else "NN"


def parsed_tree(sentence: Sentence, doc: "Doc", verbs: VerbForms) -> Tree:
    """Return spaCy's parse as plain values, with the corpus's wording for each piece."""
    return tree_of(
        [
            Token(
                text=piece.wording,
                lemma=verbs.lemma(piece.wording) or piece.wording,
                tag=known_tag(piece.wording, token, verbs),
                head=token.head.i,
                role=token.dep_,
                start=piece.start,
                end=piece.end,
                kind=piece.kind,
            )
            for piece, token in zip(sentence, doc, strict=True)
        ]
    )
