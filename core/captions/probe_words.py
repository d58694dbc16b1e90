"""Words that probes (edits that test metrics) insert into captions. Words that fit the same sentence form a group."""

from collections.abc import Mapping

# Key: a word for a kind of thing. Value: words that can replace a noun of this kind. For "bus", the key is "vehicle".
# If several keys fit, the first is used. A replacement is never a synonym of the noun, and never a narrower word.
GROUPS: Mapping[str, tuple[str, ...]] = {
    "man": ("woman", "girl"),
    "woman": ("man", "boy"),
    "boy": ("girl", "woman"),
    "girl": ("boy", "man"),
    "person": ("dog", "horse", "bear", "elephant"),
    "animal": ("dog", "cat", "horse", "cow", "elephant", "giraffe", "zebra", "bear", "goat", "pig"),
    "vehicle": ("car", "bus", "truck", "train", "boat", "motorcycle", "bicycle", "airplane"),
    "furniture": ("chair", "table", "bed", "couch", "bench", "desk"),
    "clothing": ("hat", "scarf", "jacket", "dress", "skirt", "shirt"),
    "food": ("banana", "apple", "pizza", "sandwich", "cake", "carrot", "orange"),
    "building": ("house", "church", "tower", "barn", "hotel"),
    "equipment": ("surfboard", "skateboard", "umbrella", "kite", "ball", "frisbee", "guitar"),
    "container": ("basket", "suitcase", "bucket", "bottle", "box", "bowl"),
    "artifact": ("umbrella", "ladder", "suitcase", "guitar", "lamp", "basket", "clock", "balloon"),
}
GENDERED = frozenset("man woman boy girl lady guy gentleman mother father mom dad".split())
GENDERED_PRONOUNS = frozenset("he she his her him hers himself herself".split())
OPEN_PLACES = ("street", "beach", "lake")  # a person can be both on and in these places
PLACES: Mapping[str, tuple[str, ...]] = {  # key: the place's own name, not its kind: WordNet gives it several kinds
    place: tuple(other for other in others if other not in places.split())
    for places, others in (
        ("street road sidewalk highway", OPEN_PLACES),
        ("beach field park desert mountain", OPEN_PLACES),
        ("river lake ocean pool pond", OPEN_PLACES),
        ("kitchen bathroom bedroom office library", ("garage", "barn")),
    )
    for place in places.split()
}
PARTICLES = frozenset("on off up down in out over".split())
NOT_THINGS = frozenset(
    "top side front back background foreground end edge middle center centre corner line kind sort type way view group "
    "pair couple set bunch row piece slice part lot number area scene something item object thing left right bottom "
    "distance air game match race trick show event competition meal lunch dinner breakfast food traffic something "
    "clothing clothes equipment gear stuff furniture fruit bread meat rice water snow grass sand color colour design "
    "wave hand finger wall floor ground roof ceiling court track path trail sign base plate home".split()
)  # parts, amounts, events and stuff: replacing or counting these nouns seldom gives correct English
ADDED = (
    *("ladder", "bicycle", "umbrella", "guitar", "suitcase", "horse", "elephant", "trumpet", "balloon"),
    *("wheelbarrow", "telescope", "piano", "camel", "canoe", "tractor"),
)
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight")
SEVERAL = ("three", "four", "five", "six")  # numbers that replace a single thing

HUES = ("red", "blue", "green", "yellow", "purple", "orange", "pink", "black", "white", "brown")
COATS = ("black", "white", "brown", "gray")  # colours of animals
COLOURED = frozenset((*HUES, "grey", "gray", "tan", "beige", "teal", "maroon"))
SAME_COLOUR = ({"grey", "gray"}, {"tan", "beige", "brown"}, {"red", "maroon"}, {"green", "teal"})

RELATIONS: Mapping[str, str] = {  # key: preposition; value: a preposition that contradicts it
    "in front of": "behind", "behind": "in front of", "on top of": "under", "above": "below", "below": "above",
    "under": "on top of", "underneath": "on top of", "beneath": "on top of", "over": "under", "atop": "under",
    "near": "far from", "next to": "far from", "beside": "far from", "close to": "far from", "alongside": "far from",
    "inside": "outside", "inside of": "outside", "into": "out of", "onto": "off", "up": "down", "down": "up",
    "towards": "away from", "toward": "away from", "through": "around", "along": "across", "across": "along",
    "on": "next to", "in": "outside", "with": "without",
}  # fmt: skip
# Nouns that are no places after "on": "on the phone", "on a leash". Other nouns are places only with an article.
NOT_ON = frozenset(
    "side top left right phone cellphone telephone tv television computer leash fire display way back day night face "
    "head hand arm leg foot knee hind end edge corner trip tour vacation break team floor ground internet cell".split()
)
INSIDE = frozenset(
    "kitchen bathroom bedroom room office house building garage barn restaurant store shop museum stadium cage car bus "
    "train truck boat airplane park tent box basket bag suitcase bowl bucket pool gym library hallway tunnel church "
    "station airport hotel hall zoo pen".split()
)  # a person can be in these things, so "outside" contradicts "in"

# Verbs that say little without the words after their preposition: "a bowl filled with".
NEEDS_MORE = frozenset(
    "put place set fill cover surround dress top make consist look lean attach belong get go head pull be become lead "
    "line decorate load pack equip prepare try work take use compete participate turn reach point gaze glance".split()
)
NEVER_LEFT_OUT = frozenset({"", "of", "like", "as", "than", "per", "for", "to", "from", "about", "off", "out of"})

PADDING = (
    "There is a lot to see in this picture.",
    "This is a picture that somebody took with a camera.",
    "The picture shows a scene at a certain moment.",
    "Many details can be found by those who look closely.",
    "It is one of many pictures that people have taken.",
    "Every picture tells a story of its own.",
)
