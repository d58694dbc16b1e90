"""Find the relation between two outlines that a caption's predicate states.

For example, "stand next to" states the relation "beside", and "travel on" states "ride". An action states a relation
only if the action is impossible without this relation. A person who walks a dog is near the dog. A person who looks at
a dog may be anywhere. Outlines never show the action itself: a man beside a bus need not push it.
"""

POSTURES = frozenset(
    "sit stand lay lie park rest place put set perch lean hang position pose stop be seat sleep nap doze wait kneel "
    "crouch squat curl crawl huddle gather walk run jump swim graze serve display arrange pile stack prop locate "
    "balance stretch relax".split()
)
STATED_BY = {
    "have": "have",
    "hold": "hold|carry|hold up|hold on|hold onto|eat|bite|use|swing|hand|pet|play with|talk on|speak on|cut|slice"
    "|cut into|pick up|catch|chew|work on|type on|dry with|brush with|cut with|eat with|hit with|drink from|eat from",
    "ride": "ride|ride on|ride on back of|ride on top of|surf on|ski on|skate on|skateboard on|snowboard on|sit atop"
    "|travel on|mount|straddle",
    "drive": "drive|drive on|drive in|drive down|steer",
    "in": "ride in|ride in back of|travel in",
    "wear": "wear|have on",
    "beside": "sit at|walk|walk with|stand with|swim with|run with|lead|guide|pull|push|lean against|lean on|attach to"
    "|tie to|touch|hug|kiss|feed|kick|lick",
    "contain": "fill with|contain|pack with|including|fill up with|load with|stock with",
    "under": "top with",
}
HANDLING = {predicate: relation for relation, stated in STATED_BY.items() for predicate in stated.split("|")}
# Actions that outlines cannot show. The outlines show only the place that the action implies.
# Value: words for this place. Relations such as "hold" are missing here, because they already state a place.
PLACES_OF_ACTIONS = dict.fromkeys(
    "eat bite chew use swing hand pet cut slice play talk speak type work dry brush hit drink pick catch lead guide "
    "push pull lean attach tie touch hug kiss feed kick lick walk swim run".split(),
    "near",
) | {"drive": "with", "steer": "with"}
PARTICLES = ("down ", "up ", "together ", "out ")  # words between a verb and its preposition: "sit down on"
PLACES = {
    "next to": "beside", "beside": "beside", "near": "beside", "by": "beside", "alongside": "beside",
    "close to": "beside", "on side of": "beside", "side by side with": "beside",
    "around": "beside", "at": "beside", "with": "with", "against": "beside",
    "at the left of": "left", "on the right side of": "right",
    "in front of": "in front of", "behind": "behind", "in back of": "behind", "on": "on", "on top of": "on",
    "over": "over", "above": "over", "on back of": "on", "on edge of": "on", "under": "under",
    "in": "in", "inside": "in",
}  # fmt: skip


def relation(predicate: str) -> str | None:
    """Return the relation between two outlines that a predicate states, such as "beside".

    Returns None if the predicate states no such relation.
    """
    if predicate in HANDLING:
        return HANDLING[predicate]
    place = place_of_posture(predicate)
    return PLACES.get(predicate) or (PLACES.get(place) if place else None)


def place_of_posture(predicate: str) -> str | None:
    """Return the preposition in a predicate of posture or motion.

    Example: "on" in "sit down on". Returns None for other predicates. Outlines show the place that the preposition
    names, but they do not show whether somebody sits or sleeps there.
    """
    verb, _, place = predicate.partition(" ")
    place = next((place.removeprefix(word) for word in PARTICLES if place.startswith(word)), place)
    return place or None if verb in POSTURES else None


def place_of_action(predicate: str) -> str | None:
    """Return the preposition of the place that an action implies.

    Examples: "near" for "push", "with" for "drive". Returns None if it is unknown.
    """
    return PLACES_OF_ACTIONS.get(predicate.partition(" ")[0]) if predicate in HANDLING else None
