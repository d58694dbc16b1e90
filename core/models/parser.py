"""Extract facts with dependency rules over the bundled spaCy pipeline (assets/language): no download, no GPU."""

import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from core.captions.english import may_be_english
from core.captions.reading import pieces
from core.captions.reading.clauses import mentions, things_without_facts
from core.captions.reading.factual import BE
from core.captions.reading.lexicon import Lexicon, lexicon
from core.captions.reading.phrases import CaptionPhrase, mentioned_phrase
from core.captions.reading.tree import Token, Tree
from core.captions.reading.tree import tree as tree_of
from core.captions.reading.words import Word, sentences, with_names, without_surrogates, words
from core.errors import ModelUnavailable
from core.models.device import one_thread

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.tokens import Token as SpacyToken

ASSETS = Path(__file__).parents[2] / "assets" / "language"

MOST_WORDS = 200  # maximum words per sentence, with punctuation, because the cost of some rules is quadratic
MOST_WORDS_OF_TEXT = 1_000  # maximum words per text, about 5,500 characters of English
MOST_SENTENCES = 150  # maximum sentences per caption, because each sentence takes as much time as two words or more
FINITE = frozenset({"VB", "VBP", "VBZ"})

Sentence = tuple[pieces.Piece, ...]


class _NoTorch(MetaPathFinder):
    """An import finder that hides torch from one thread, because spaCy would import it, which takes seconds."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """Return None, so that Python asks the other finders. Raises ModuleNotFoundError for torch."""
        if fullname == "torch" and threading.get_ident() == self._thread:
            raise ModuleNotFoundError("torch is hidden while spaCy is imported", name=fullname)


def import_spacy() -> ModuleType:
    """Return the module spaCy, imported without torch."""
    finder = _NoTorch()
    sys.meta_path.insert(0, finder)
    try:
        import spacy
    finally:
        sys.meta_path.remove(finder)
    module: ModuleType = spacy
    return module


class DependencyParser:
    """Tag and parse captions with spaCy, then derive facts from the trees.

    Texts that do not look English have neither trees nor facts. The parser reads at most MOST_WORDS words per sentence.
    It reads at most MOST_SENTENCES sentences and MOST_WORDS_OF_TEXT words per caption, and ignores the rest.
    """

    def __init__(self, pipeline: "Language", lexicon: Lexicon, compounds: Iterable[str]) -> None:
        """Take a pipeline with tagger and parser, and the compounds that are read as one noun."""
        self._pipeline, self._lexicon, self._readings = pipeline, lexicon, pieces.readings(compounds)
        self._one_at_a_time = threading.Lock()  # a lock, because spaCy's vocabulary grows while spaCy parses

    @classmethod
    def load(cls, folder: Path = ASSETS) -> "DependencyParser":
        """Load the parser from a folder with pipeline/ and compounds.txt. Raises ModelUnavailable."""
        if not (folder / "pipeline" / "config.cfg").is_file():
            raise ModelUnavailable(
                f"the language pipeline is not at {folder / 'pipeline'}; it comes with the repository, "
                f"or train it as {folder / 'README.md'} says"
            )
        pipeline = import_spacy().load(folder / "pipeline")
        return cls(pipeline, lexicon(), (folder / "compounds.txt").read_text(encoding="utf-8").splitlines())

    @property
    def name(self) -> str:
        """Return e.g. ``rules-ewt@1.3.0``: the version of pipeline and rules."""
        return f"rules-ewt@{self._pipeline.meta['version']}"

    def phrases(self, captions: Sequence[str]) -> list[tuple[CaptionPhrase, ...]]:
        """Return each caption's facts as phrases, in order of mention. Things without a fact come last."""
        return [tuple(_phrases(caption, trees)) for caption, trees in self._parsed(captions)]

    def trees(self, text: str) -> tuple[Tree, ...]:
        """Return the tree of each sentence of a text about captions. Words keep their positions in the text."""
        return self._parsed([text], as_captions=False)[0][1]

    def _parsed(self, texts: Sequence[str], *, as_captions: bool = True) -> list[tuple[str, tuple[Tree, ...]]]:
        captions = [without_surrogates(text) for text in texts]
        cut = [
            list(self._sentences(caption, as_caption=as_captions)) if may_be_english(caption) else []
            for caption in captions
        ]
        found = self._trees(sentence for sentences in cut for sentence in sentences)
        parsed = map(tree_of, found)
        return [
            (caption, tuple(next(parsed) for _ in sentences)) for caption, sentences in zip(captions, cut, strict=True)
        ]

    def _pieces(self, caption: str, sentence_words: Sequence[Word], as_caption: bool) -> Sentence:
        if not as_caption:
            return tuple(pieces.pieces(sentence_words, self._readings))
        sentence = tuple(pieces.pieces(with_names(caption, sentence_words), self._readings))
        return pieces.with_plain_verbs(sentence, self._lexicon)

    def _sentences(self, caption: str, *, as_caption: bool = True) -> Iterator[Sentence]:
        left, sentences_left = MOST_WORDS_OF_TEXT, MOST_SENTENCES
        for start, end in sentences(caption):
            sentence_words = words(caption, start, end)[: min(MOST_WORDS, left)]
            left -= len(sentence_words)
            if any(_is_readable(word) for word in sentence_words):
                if not sentences_left:
                    return
                sentences_left -= 1
                yield self._pieces(caption, sentence_words, as_caption)

    def _trees(self, cut: Iterable[Sentence]) -> list[list[Token]]:
        kept = list(cut)
        with self._one_at_a_time, one_thread():
            docs = self._pipeline.pipe([self._unparsed(sentence) for sentence in kept])
            return [self._tokens(sentence, doc) for sentence, doc in zip(kept, docs, strict=True)]

    def _unparsed(self, sentence: Sentence) -> "Doc":
        from spacy.tokens import Doc

        doc = Doc(self._pipeline.vocab, words=[piece.seen for piece in sentence])
        for token in doc[1:]:
            token.is_sent_start = False  # otherwise spaCy may see several sentences in a caption without full stops
        return doc

    def _tokens(self, sentence: Sentence, doc: "Doc") -> list[Token]:
        """Return the words of a sentence as tokens, parsed by spaCy.

        The words of the tokens are those that the FACTUAL corpus would use.
        """
        return [
            Token(
                text=piece.wording,
                lemma=self._lexicon.lemma(piece.wording) or piece.wording,
                tag=known_tag(piece.wording, token, self._lexicon),
                head=token.head.i,
                role=token.dep_,
                start=piece.start,
                end=piece.end,
                kind=piece.kind,
                seen=piece.seen,
                is_person=token.tag_.startswith("NN") and self._lexicon.is_person(piece.wording),
            )
            for piece, token in zip(sentence, doc, strict=True)
        ]


@cache
def bundled_parser() -> DependencyParser:
    """Return the bundled parser, which is loaded once. Raises ModelUnavailable."""
    return DependencyParser.load()


def _phrases(caption: str, trees: Sequence[Tree]) -> Iterator[CaptionPhrase]:
    """Yield the phrases of a caption: each fact once, then the things without facts."""
    said = [(tree, mentions(tree)) for tree in trees]
    first = {one.fact: (tree, one) for tree, stated in reversed(said) for one in reversed(stated)}
    yield from (
        mentioned_phrase(caption, tree, one) for tree, stated in said for one in stated if first[one.fact][1] is one
    )
    for tree, stated in said:
        yield from (mentioned_phrase(caption, tree, one) for one in things_without_facts(tree, stated))


def _is_readable(word: Word) -> bool:
    return any(letter.isalnum() for letter in word.text)


def known_tag(word: str, token: "SpacyToken", lexicon: Lexicon) -> str:
    """Return a word's tag, corrected if the tagger mistook a noun for a verb.

    A verb form that the table of verbs lacks becomes a noun if it is joined to a noun, or in a caption of two words at
    most: "potatoes" in "eggs and potatoes", "one cheetah".
    """
    is_noun = len(token.doc) <= 2 or (token.dep_ == "conj" and token.head.tag_.startswith("NN"))
    if token.tag_ not in FINITE or not is_noun or word in BE or lexicon.lemma(word):
        return str(token.tag_)
    return "NNS" if word.endswith("s") else "NN"
