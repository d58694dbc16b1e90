"""Whether a noun names only an imitation or a picture of a thing: a toy bear, a horse on a shirt, a wooden elephant.

The rules read the caption's words around the noun. They need no syntax tree.
"""

from collections.abc import Sequence

from core.captions.factual_conventions import ARTICLES, COLOURS, PICTURES
from core.captions.nouns import NounTable
from core.captions.word_groups import MOST_IN_GROUP, before_articles, governor
from core.captions.word_splitting import Word, singular

MOST_IN_LIST = 6  # maximum number of words between a noun and "printed" in "a lion and a bear printed on it"
FARTHEST = 4  # maximum number of words between a noun and the word that shows that the thing is depicted

# Words for imitations: "a toy bear" is no bear.
IMITATING = frozenset(
    "toy stuffed plush painted drawn carved sculpted ceramic porcelain inflatable inflated cardboard origami fake "
    "cartoon animated printed miniature mini tiny model lego plastic paper chocolate gingerbread marble bronze stone "
    "wax decorative replica pretend artificial mechanical rocking carousel virtual imaginary".split()
)
# Materials of which no living thing consists: "a wooden elephant". A wooden chair is a chair.
MATERIALS = frozenset(
    "wooden wood metal metallic glass crystal balloon balloons brass iron steel clay knitted crocheted felt foam straw "
    "cloth fabric wire sugar fondant neon".split()
)
STICK = frozenset("man woman person people figure figures men".split())  # "a stick man" is a drawing
TOY_VEHICLES = frozenset("train airplane plane car truck bus motorcycle bicycle".split())
OF_TOYS = frozenset("wooden wood balloon balloons clay knitted crocheted felt foam cloth fabric sugar fondant".split())
# Words for pictures and statues: "a poster of a dog" and "a dog statue" are no dogs.
DEPICTIONS = frozenset(
    "poster picture photo photograph painting drawing sculpture statue figurine figure image portrait print mural "
    "graffiti cartoon depiction replica model sign logo shape decal sticker silhouette shadow reflection illustration "
    "sketch carving toy doll puppet costume balloon mask ornament decoration topper cutout cut-out design pattern "
    "screensaver plush magnet advertisement ad tattoo mascot symbol emblem emoji video clip film movie animation "
    "mosaic fresco tapestry effigy hologram avatar icon stencil engraving etching embroidery caricature story "
    "tale".split()
)
# Words for how a picture of a thing is made on another thing: "a dog printed on a mug".
MADE = frozenset(
    "printed painted drawn carved woven embroidered tattooed etched engraved stitched sketched stencilled stenciled "
    "sculpted stamped emblazoned depicted pictured".split()
)
MADE_ON = frozenset("on onto in into across".split())
PATTERNED = (MADE | {"patterned"}) - {
    "drawn",
    "depicted",
    "pictured",
    "sculpted",
}  # before "with": "printed with a cat"
DRAWING = frozenset("draws drew sketches sketched doodles".split())  # "a child draws a horse": no real horse is shown
ON_WALLS = frozenset("wall shelf fridge refrigerator door mantel mantelpiece".split())  # places of framed pictures
DISGUISED = frozenset("dressed disguised decorated painted costumed shaped carved styled designed cut".split())
JOINING = frozenset("on riding and with holding".split())  # "a statue of a man on a horse" depicts the horse too
VERBS = frozenset("hangs hang stands stand sits sit is are lies lie leans lean".split())
COMPARING = frozenset("like resembling".split())  # "a clock like an apple"


def is_imitation(noun: str, found: Sequence[Word], start: int, first: int, last: int, table: NounTable) -> bool:
    """Return whether a noun names only an imitation of a thing.

    A picture of the thing also counts as an imitation. found: the caption's words. start: index of the first word of
    the noun's group, with its adjectives. first, last: indices of the noun's own first and last word.
    """
    before = {part for word in found[start:first] for part in (word.text, word.text.rpartition("-")[2])}
    before |= set(noun.lower().split()[:-1])
    is_stick = "stick" in before and noun.lower().split()[-1] in STICK
    if (
        is_stick
        or _is_made(found, start, last)
        or IMITATING & before
        or _is_depicted(found, start, last)
        or _precedes(found, last)
    ):
        return True
    texts = [word.text for word in found]
    place = before_articles(found, start)
    if texts[place : place + 1] == ["as"] and place >= 0 and DISGUISED & set(texts[max(0, place - 2) : place]):
        return True
    if _is_in_statue(texts, place):
        return True
    after = texts[last + 1 : last + 5]
    is_made = after[:1] == ["made"] and bool({"of", "from", "with"} & set(after[1:3]))
    material = (MATERIALS & before) | ((MATERIALS | IMITATING) & set(after if is_made else ()))
    is_toy = singular(noun.lower().split()[-1]) in TOY_VEHICLES and bool(material & OF_TOYS)
    return is_toy or (bool(material) and is_living(noun, table))


def _is_made(found: Sequence[Word], start: int, last: int) -> bool:
    """Return whether a picture of a thing is made on another thing: "a dog printed on a mug", "printed with a dog".

    A list counts too: "a lion and a bear woven in it".
    """
    place = governor(found, start)
    if place > 0 and found[place].text == "with" and found[place - 1].text in PATTERNED:
        return True
    after = [word.text for word in found[last + 1 : last + 2 + MOST_IN_LIST]]
    made = next((k for k, text in enumerate(after) if text in MADE), None)
    if made is None or not MADE_ON & set(after[made + 1 : made + 2]) or COLOURS & set(after[made + 2 : made + 3]):
        return False
    between = [text for text in after[:made] if text not in ARTICLES]
    return between in ([], ["that", "is"], ["is"], ["are"]) or (between[0] == "and" and len(between) <= MOST_IN_GROUP)


def is_living(noun: str, table: NounTable) -> bool:
    return any(table.naming(noun, kind, likeliest=True) == "is" for kind in ("animal", "person"))


def _is_in_statue(texts: Sequence[str], place: int) -> bool:
    """Return whether a noun belongs to a statue of something else: the horse in "a statue of a man on a horse".

    place: index of the word before the noun and its article.
    """
    if place < 0 or texts[place] not in JOINING:
        return False
    earlier = texts[max(0, place - FARTHEST) : place]
    if "of" not in earlier or earlier[-1] in VERBS:
        return False
    of = place - len(earlier) + earlier.index("of")
    return of > 0 and singular(texts[of - 1]) in DEPICTIONS - PICTURES


def _is_depicted(found: Sequence[Word], start: int, last: int) -> bool:
    """Return whether a noun's thing is only depicted or used in comparison.

    The words before the noun decide this. Examples: "a poster of a dog", "like a dog". start, last: indices of the
    first and last word of the noun's group.
    """
    place = governor(found, start)
    if place >= 0 and found[place].text in COMPARING:
        place = before_articles(found, start)  # "like a man and a dog" compares only with the man
    if place >= 0 and found[place].text in DRAWING:
        return True
    if place < 0 or found[place].text not in COMPARING | {"of"}:
        return False
    if found[place].text != "of":
        return True
    of = singular(found[place - 1].text) if place else ""
    after = [word.text for word in found[last + 1 : last + 2 + FARTHEST]]
    hangs = bool({"on", "hanging"} & set(after[:1])) and bool(ON_WALLS & set(after))
    is_caption = of in PICTURES and place <= FARTHEST and not hangs  # "A picture of a dog": the caption's own picture
    return of in DEPICTIONS and not is_caption


def _precedes(found: Sequence[Word], last: int) -> bool:
    """Return whether a noun only names what the next word depicts or resembles.

    Examples: "dog" in "dog statue", "cow" in "cow-shaped".
    """
    following = found[last + 1].text if last + 1 < len(found) else ""
    return singular(following) in DEPICTIONS - {"sign", "figure", "shadow"} or following in (
        "shaped",
        "themed",
        "print",
    )
