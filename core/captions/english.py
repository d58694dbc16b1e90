"""Decide from the words of a caption whether it may be English. Capscope treats all captions as English.

The test is designed for short texts. It counts English function words, and function words of other languages. It also
counts letters that English does not use, and words in the tables of English nouns and verbs.
"""

import re
import unicodedata
from functools import lru_cache

from core.captions.reading.factual import ADJECTIVES, ONLY_PREPOSITIONS, TIMES, VAGUE
from core.captions.reading.lexicon import lexicon
from core.captions.reading.words import with_names, words

NOTICE = "This caption does not look English. Capscope reads only English, so it cannot judge these words."

# Function words that only English has. Function words that other languages have too are in SHARED.
ENGLISH = frozenset(
    "the this that these those there here any not many several both each every you she they him them our your my their "
    "who which what nobody someone are were been being has have had does did can could would might must isn aren "
    "doesn and but nor while when because where then very from with off up down out into onto through near next behind "
    "before after between against around across along above below beside inside outside without towards toward about "
    "front top two three four five seven eight nine ten".split()
) | ONLY_PREPOSITIONS  # fmt: skip
SHARED = frozenset(
    "a an some no all i he it we me her us his its is was be am do may will s t or if as than so also in on at to by "
    "of over under for one six".split()
) - ENGLISH  # fmt: skip
# Function words that English does not have. "die", "man" and "van" are missing, because English has them too.
FOREIGN = frozenset(
    "der das dem den ein eine einen einem einer eines ist sind und auf mit im vom zum zur nicht kein keine auch aus "
    "bei von vor nach unter neben hinter sich er sie wir ihr sein seine ihre wird werden steht sitzt liegt "
    "le les un une des du dans sur avec est sont qui que ne pas aux pour par et ses leur leurs il elle "
    "el la los las una unos unas del con es esta y en por para su sus se "
    "gli lo della dello di che nella nel sul sulla sono uno accanto het een de op met zijn voor naar niet zit staat "
    "ligt os um uma uns umas dos das na nos nas ao com och ett som inte det og ikke jest nie pod obok ja ei ve bir ile "
    "zwei drei vier deux trois quatre tres cuatro dois duas twee drie due tre quattro mann frau hund katze kinder "
    "menschen leute homme femme chien hombre mujer perro gato uomo donna cane homem mulher vrouw".split()
)
# Frequent words of captions that the tables of nouns and verbs lack.
MORE = TIMES | frozenset(
    "tennis baseball soccer basketball hockey area together grassy day snowy hot way half scene outdoor outdoors past "
    "older younger larger smaller graffiti cloudy sandy sunny birthday town others nice cute polar fresh wild blurry "
    "nearby christmas away sale commercial electronic electronics selfie mid kind kinds urban alone residential rocky "
    "ornate lone rural upside indoor indoors messy sunset decorative good asleep leafy habitat multi how thick ripe "
    "rainy goods fun hard either floral life logo funny almost aerial visible chinese unique personal fluffy odd "
    "downtown shiny skyline pregnant windy tropical circular historic simple third terrain interior meadow oval cold "
    "healthy much foggy furry themselves himself herself itself ahead strange fuzzy foreign cheesy unusual movie "
    "stormy elegant within upward text digital airborne massive music electrical artistic shady raw first second "
    "easy garlic today dozen instead identical art tight retro real soft bad mt".split()
)  # fmt: skip
LOANS = frozenset(
    "café cafés façade façades jalapeño jalapeños piñata piñatas crème brûlée purée puréed entrée entrées sautéed "
    "naïve soufflé décor fiancé fiancée rosé pâté cliché touché résumé appliqué papier-mâché mâché crêpe crêpes".split()
)
FUNCTION_WORDS = ENGLISH | SHARED
KNOWN = LOANS | MORE | ADJECTIVES | VAGUE
LETTER_RUN = re.compile(r"[^\W\d_]+")
MOST_OF_OTHER_SCRIPT = 0.3  # largest allowed share of letters of other scripts
LEAST_UNKNOWN = 2  # minimum number of unknown words in a foreign caption, because one unknown word may be a name
ENDINGS = ("ing", "ed", "ly", "ness", "less", "ful", "able", "ous", "ish", "est", "tion", "ty")  # English endings


@lru_cache(maxsize=1024)  # cached, because captions of a picture have the same references, which are checked too
def may_be_english(caption: str) -> bool:
    """Return whether a caption may be English. Returns True for a text without letters."""
    letters = [letter for letter in caption if letter.isalpha()]
    if sum(not _is_latin(letter) for letter in letters) > MOST_OF_OTHER_SCRIPT * len(letters):
        return False
    found = _counted(unicodedata.normalize("NFC", caption))
    parts = [part for word in found for part in LETTER_RUN.findall(word)]
    english, shared = sum(part in ENGLISH for part in parts), sum(part in SHARED for part in parts)
    foreign = sum(part in FOREIGN or _has_marks(part) for part in parts)
    content = [word for word in found if LETTER_RUN.match(word) and word not in FUNCTION_WORDS]
    known = sum(map(is_known, content))
    unknown = len(content) - known
    is_strange = unknown >= LEAST_UNKNOWN and unknown - known > 2 * english + shared
    return foreign <= english + shared / 4 + known / 3 and not is_strange


def _counted(caption: str) -> list[str]:
    """Return the words by which a caption's language is decided.

    Names are skipped if the other words include English function words. If they do not, all words count. The reason is
    that German capitalises all nouns: "Bus" in "Ein Bus" looks like a name, but is none.
    """
    found = with_names(caption, words(caption))
    plain = [word.text for word in found if not word.is_name]
    is_named = found[:1] and found[0].text.split()[0] not in FOREIGN
    return plain if is_named and FUNCTION_WORDS & set(plain) else [word.text for word in words(caption)]


def _is_latin(letter: str) -> bool:
    return letter.isascii() or unicodedata.name(letter, "").startswith("LATIN")


def _has_marks(word: str) -> bool:
    return not word.isascii() and word not in LOANS


def is_known(word: str) -> bool:
    """Return whether a lower-case word is in the tables of English words, or has an English ending."""
    if word in FOREIGN:
        return False
    if word in KNOWN or word.endswith(ENDINGS) or lexicon().lemma(word):
        return True
    return lexicon().known(word) is not None
