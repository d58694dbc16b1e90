"""Whether a noun's thing is only printed or shown on another thing: "a mural shows a horse", "a tie with dogs".

The rules read the caption's words around the noun. They need no syntax tree.
"""

from collections.abc import Sequence

from core.captions.depicted_nouns import DEPICTIONS, FARTHEST, is_living
from core.captions.factual_conventions import PICTURES
from core.captions.nouns import NounTable
from core.captions.thing_kinds import kinds_of
from core.captions.word_groups import governor
from core.captions.word_splitting import Word, singular

SCREENS = frozenset("screen television tv monitor laptop computer phone cellphone smartphone tablet".split())
# Things on which animals, persons and vehicles are often printed.
PRINTED = frozenset(
    "shirt t-shirt tshirt tee sweater sweatshirt hoodie jersey mug billboard banner poster screen stamp flag sign "
    "label magazine cover card wallpaper advertisement ad brochure flyer leaflet calendar postcard coin banknote "
    "medal mural tapestry mosaic logo".split()
)
# Things that are also near real animals. Without "on it", the animals are real: "a bed with a blanket and a cat".
PRINTED_IF_ON_IT = frozenset(
    "quilt blanket pillow cushion curtain rug carpet towel napkin tablecloth tile plate dish saucer platter cup bowl "
    "vase paper bag box ball umbrella kite balloon dress skirt tie sock apron pajamas scarf hat cap jacket cake "
    "cupcake cookie wall door coaster tray".split()
)
CLOTH = frozenset("tie scarf curtain quilt pillowcase wallpaper fabric".split())  # "a tie with elephants"
WALLS = frozenset({"wall", "door", "bag", "box", "bowl", "tray"})  # a real thing is often on or in these
# Things that tell of other things or show them.
MEDIA = frozenset(
    "book story tale movie film video show documentary magazine newspaper comic cartoon game song poem article novel "
    "page mirror dream advert commercial animation photograph photo picture painting drawing poster".split()
)
OF_TEXT = frozenset("menu sign board blackboard chalkboard list label poster".split())
SHOWING = frozenset(
    "showing shows show displaying displays display depicting depicts depict featuring features feature portraying "
    "portrays portray reflecting reflects reflect advertising advertises picturing pictures".split()
)
REFLECTING = frozenset("reflecting reflects reflect".split())
LISTING = frozenset("lists listing offers offering advertises advertising".split())
WARNING = frozenset("warns warning warn".split())
ON_IT = frozenset("it them top front back side".split())


def is_shown(noun: str, found: Sequence[Word], start: int, last: int, table: NounTable) -> bool:
    """Return whether a noun's thing may only be printed or shown on another thing: "a sign with an elephant".

    found: the caption's words. start, last: indices of the first and last word of the noun's group.
    """
    place = governor(found, start)
    texts = [word.text for word in found]
    if place > 0 and (_is_showing(texts, place) or _is_topic(texts, place)):
        return True
    if place > 0 and texts[place] in ("with", "has") and _is_printed_with(noun, texts, place, last, table):
        return True
    after = texts[last + 1 : last + 1 + FARTHEST]
    if after[:2] in (["reflected", "in"], ["reflected", "on"]) or _is_in_media(after):
        return True
    is_on = after[:1] == ["on"] and bool(PRINTED & {singular(word) for word in after[1:]})
    return is_on and may_be_printed(noun, table)


def may_be_printed(noun: str, table: NounTable) -> bool:
    """Return whether a noun names a person, an animal or a vehicle, of which people often make pictures."""
    return is_living(noun, table) or table.naming(noun, "vehicle", likeliest=True) == "is"


def _holder(texts: Sequence[str], place: int) -> str:
    """Return the noun before a verb or preposition, in the singular: "shirt" before "that has"."""
    holder = place - 1
    while holder > 0 and texts[holder] in ("that", "which", "is", "are"):
        holder -= 1
    return singular(texts[holder]) if holder >= 0 else ""


def _is_showing(texts: Sequence[str], place: int) -> bool:
    """Return whether the governing word says that a picture or a screen shows the thing, or that a text lists it."""
    verb, holder = texts[place], _holder(texts, place)
    if verb in SHOWING:
        return verb in REFLECTING or holder in SCREENS or holder in (DEPICTIONS | PRINTED | MEDIA) - PICTURES
    return verb in LISTING and holder in OF_TEXT


def _is_topic(texts: Sequence[str], place: int) -> bool:
    """Return whether the thing is only the topic of a story or a warning: "a book about dogs", "warns of bears"."""
    before = texts[place - 1]
    return texts[place] in ("about", "of", "for") and (
        before in WARNING or (texts[place] == "about" and singular(before) in MEDIA | DEPICTIONS)
    )


def _is_printed_with(noun: str, texts: Sequence[str], place: int, last: int, table: NounTable) -> bool:
    """Return whether "with" or "has" says that a thing is printed on the thing before it."""
    holder, after = _holder(texts, place), texts[last + 1 : last + 4]
    if not may_be_printed(noun, table):
        return False
    if holder in PRINTED or (holder in CLOTH and not _is_worn_by(texts, place, table)):
        return True
    is_on_it = after[:1] == ["on"] and bool(ON_IT & set(after[1:]))
    is_cloth = holder in PRINTED_IF_ON_IT - WALLS or "worn" in kinds_of(holder, table)
    return is_on_it and is_cloth


def _is_worn_by(texts: Sequence[str], place: int, table: NounTable) -> bool:
    """Return whether a person or animal is named before the clothes: the man in "a man in a tie with a dog".

    The clothes are then probably worn. So "with a dog" does not say that a dog is printed on the tie.
    """
    return any(is_living(text, table) for text in texts[: place - 1] if text.isalpha())


def _is_in_media(after: Sequence[str]) -> bool:
    """Return whether a thing is only in a book, a film or a mirror: "a zebra in a book"."""
    if after[:1] not in (["in"], ["from"]):
        return False
    return bool((MEDIA - PICTURES) & {singular(word) for word in after[1:3]})
