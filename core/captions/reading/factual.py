"""Wording conventions of the FACTUAL corpus (Li et al. 2023), and other closed lists of words.

The entries of the tables were counted in the corpus's training captions. Phrases in the tables have neither articles
nor possessives: "on the side of" is listed as "on side of".
"""

NUMBERS = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
           "ten": "10", "eleven": "11", "twelve": "12", "both": "2"}  # fmt: skip

# The corpus uses one wording for all prepositions with the same meaning.
PREPOSITIONS = {
    "in front of": "in front of", "on front of": "in front of", "at front of": "in front of",
    "in front": "in front of", "to front of": "in front of",
    "on top of": "on top of", "at top of": "on top of", "in top of": "on top of", "ontop of": "on top of",
    "on top": "on top of", "atop": "on top of",
    "on side of": "on side of", "at side of": "on side of", "by side of": "on side of", "to side of": "on side of",
    "in side of": "on side of", "on sides of": "on side of", "on other side of": "on side of", "on side": "on side of",
    "on left side of": "at the left of", "to left of": "at the left of", "on left of": "at the left of",
    "at left of": "at the left of", "on right side of": "on the right side of", "to right of": "on the right side of",
    "on right of": "on the right side of", "at right of": "on the right side of",
    "on far side of": "on far side of", "on both sides of": "on both sides of",
    "on either side of": "on either side of", "on each side of": "on both sides of",
    "side by side with": "side by side with",
    "along side of": "alongside", "along side": "alongside",
    "in middle of": "on middle of", "on middle of": "on middle of", "at middle of": "on middle of",
    "in center of": "in center of", "at center of": "in center of", "on center of": "in center of",
    "on bottom of": "on bottom of", "at bottom of": "on bottom of", "in bottom of": "on bottom of",
    "on edge of": "on edge of", "at edge of": "on edge of", "along edge of": "on edge of", "by edge of": "on edge of",
    "on back of": "on back of", "in back of": "in back of", "at back of": "in back of", "on rear of": "on back of",
    "at rear of": "at rear of", "at end of": "in end of", "on end of": "in end of", "in end of": "in end of",
    "in corner of": "in corner of", "on corner of": "in corner of", "at corner of": "in corner of",
    "on face of": "on face of",
    "beneath": "under", "underneath": "under", "below": "under", "in between": "between", "inbetween": "between",
    "next to": "next to", "close to": "close to", "across from": "across from", "away from": "away from",
    "inside of": "inside", "on inside of": "inside", "outside of": "outside", "on outside of": "outside",
    "out of": "out of", "off of": "off", "upon": "on", "onto": "on", "on to": "on", "in to": "into",
    "toward": "towards", "right behind": "behind", "all over": "over", "up to": "to", "along with": "with",
}  # fmt: skip

# Words that are never verbs, even if the tagger calls them verbs.
ONLY_PREPOSITIONS = frozenset(
    "above across against alongside amid amidst among amongst atop behind below beneath beside besides between beyond "
    "inside into onto outside over through throughout toward towards under underneath upon".split()
)

# A measure (word of amount) before "of" is not a thing. It becomes an attribute of the next noun, or is omitted ("").
MEASURES = {
    "group of": "group of", "groups of": "group of", "herd of": "group of", "flock of": "group of",
    "crowd of": "group of", "team of": "group of", "couple of": "2", "two of": "2",
    "both of": "2", "dozen": "12", "half dozen": "6", "trio of": "3",
    "three of": "3", "four of": "4", "five of": "5", "six of": "6", "seven of": "7", "eight of": "8",
    "nine of": "9", "ten of": "10", "eleven of": "11", "twelve of": "12",
    "piece of": "piece", "pieces of": "pieces", "slice of": "slice",
    "slices of": "slices", "part of": "part", "patch of": "patch", "patches of": "patches", "piles of": "piles",
    "statue of": "statue", "sheet of": "sheet", "strip of": "strip",
} | dict.fromkeys((
    "bunch of", "bunches of", "lot of", "lots of", "pair of", "pairs of", "row of", "rows of", "set of", "sets of",
    "pile of", "body of", "type of", "types of", "kind of", "kinds of", "stack of",
    "stacks of", "variety of", "number of", "cluster of", "bouquet of", "pack of", "section of", "portion of",
    "half of", "roll of", "rolls of", "bit of", "collection of", "series of", "assortment of", "one of", "most of",
    "all of", "some of", "several of", "many of", "lines of", "amount of", "stalk of", "each of", "plenty of",
    "close up of", "close-up of", "closeup of",
    "hundreds of", "dozens of", "thousands of",
    "school of", "swarm of", "pod of", "pride of", "troop of", "gaggle of", "litter of", "fleet of", "handful of",
    "mound of", "view of", "picture of", "photo of", "image of", "loaf of", "load of", "loads of", "tons of",
), "")  # fmt: skip

# Key: misspelling, split word or pronoun; value: the corpus's spelling.
RENAMED = {
    "cell phone": "cellphone", "cell phones": "cellphones", "surf board": "surfboard", "surf boards": "surfboards",
    "snow board": "snowboard", "snow boards": "snowboards", "counter top": "countertop", "stove top": "stovetop",
    "counter tops": "countertops", "side walk": "sidewalk", "wet suit": "wetsuit", "wet suits": "wetsuits",
    "head band": "headband", "tee shirt": "t-shirt", "tee shirts": "t-shirts", "t shirt": "t-shirt",
    "t shirts": "t-shirts", "tshirt": "t-shirt", "hotdog": "hot dog", "hotdogs": "hot dogs", "ad": "advertisement",
    "streetlight": "street light", "streetlights": "street lights", "refridgerator": "refrigerator",
    "wind shield": "windshield", "guy": "person", "dude": "person", "someone": "person", "guys": "people",
    "he": "man", "she": "woman", "they": "people", "multi colored": "multi-colored",
    "multicolored": "multi-colored", "each other": "each other", "one another": "one another",
}  # fmt: skip

ATTRIBUTES = {"wood": "wooden", "blond": "blonde", "rusted": "rusty"}
SHADES = frozenset({"light", "dark", "bright", "pale", "multi"})
COLOURS = frozenset(
    "red blue green yellow white black brown grey gray orange pink purple tan beige silver gold golden blonde blond "
    "teal maroon colored coloured".split()
)
VAGUE = frozenset(
    "many several few some other various multiple more most another different such numerous same own next last "
    "certain full one very whole entire all each its his her their no about just".split()
)  # vague words, which the FACTUAL corpus omits from its facts

ADJECTIVES = COLOURS | frozenset(
    "tall short big small long old young little large huge tiny wide narrow fat thin round bare barefoot empty open "
    "wet dry dirty clean new high low deep bright dark wooden metal plastic happy sad beautiful pretty".split()
)  # adjectives; before a noun, the tagger takes some of them for nouns

VERBS = {"lying": "lay", "feature": "have", "lye": "lay"}  # key: form or lemma; value: the corpus's verb
DRESSING = frozenset({"dress", "clothe"})  # "dressed in" becomes "wear"
PLACING = frozenset(
    {"park", "sit", "stand", "lay", "place", "locate", "stop"}
)  # after these verbs, "by" states a place, not an agent: "parked by"
HOLDING = frozenset(
    "have wear hold carry rest put push place grab pull watch hang spread throw toss pour lift load pin stack lay set "
    "sprinkle scatter lower raise dip dunk balance tuck tape glue drizzle roll slide lean "
    "drop leave tie stick attach arrange pile fasten mount nail shape write draw paint print".split()
)  # a place after these verbs is their object's place: in "put cup on table", the cup is on the table
DIRECTIONS = frozenset({"into", "onto", "to", "towards", "from", "out of", "off"})
BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "am", "'s", "'re"})

WORN_IN = frozenset(
    "shirt suit pants uniform uniforms shorts hat hats t-shirt jeans coat cap clothes clothing outfit tie sunglasses "
    "helmet helmets glasses costume costumes attire robe robes skirts sneakers slacks suits trousers gear wetsuit "
    "wetsuits hoodie sweatshirt jersey".split()
)  # "man in shirt" becomes ( man , wear , shirt )
WORN_WITH = frozenset("shirt glasses sunglasses suit cap shorts jersey helmets hats shirts".split())
CONTAINERS = frozenset(
    "glass glasses bottle bottles cup cups box boxes basket baskets bowl bowls bag bags jar jars jug jugs mug mugs "
    "vase vases tray trays bucket buckets pot pots pitcher pitchers crate crates can cans carton cartons".split()
)  # "glass of wine" becomes wine in glass
SURFACES = frozenset({"plate", "plates"})  # "plate of food" becomes food on plate
VIEWPOINTS = frozenset({"distance", "left", "right", "middle", "outside", "inside"})  # "on the left" is an attribute
TIMES = frozenset(
    "night day daytime evening morning afternoon midday time noon nighttime dusk dawn sunset sunrise "
    "twilight midnight".split()
)
PICTURES = frozenset("picture photo image scene photograph frame background view".split())

ARTICLES = frozenset("the a an its his her their this our my your it's".split())
RELATIVES = frozenset({"that", "which", "who", "whom", "whose"})
PRONOUNS = frozenset(
    "it them him her itself themselves himself herself this these those what one there i you we me us "
    "something everything nothing anything".split()
) | RELATIVES | {"each other", "one another"}  # fmt: skip
