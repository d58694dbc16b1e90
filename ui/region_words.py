"""What pages and saved drawings say about regions and phrases, and how each region looks."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from core.captions.hints import Hint, Stance, Where
from core.captions.judging.kinds import wholes
from core.captions.summary import counted
from core.regions.protocols import LABELS, encoder_kind
from core.statistics.rounding import half_up
from core.types import Explanation, ImageRegion, Mark, Phrase, Region

# "part": a region that is not mentioned, inside a larger mentioned region; "waiting": nothing was compared
Look = Literal["mentioned", "unmentioned", "part", "waiting"]

SIGNS: dict[Mark, str] = {"correct": "✓", "incorrect": "✗", "not judged": "◌"}
_WHERE: dict[Where, str] = {
    "picture": "on the picture",
    "caption": "only in the caption",
    "nowhere": "nowhere among the annotated regions",
    "unknown": "not looked for",
}
_STANCE: dict[Stance, str] = {
    "said": "",
    "denied": ", said not to be there",
    "lacking": ", said to be missing in the caption",
    "reported": ", said to be in the caption",
}
NOT_COMPARED = "annotated, not compared"
NEGATION = "HICE-S does not understand negation. Its score treats “no dog” like “dog”."


def names(regions: Sequence[Region | ImageRegion]) -> tuple[str, ...]:
    """Return the name of each region.

    The name is its label, with a number if several regions share it. Without a label it is the region's number.
    """
    labels = [None if region.is_full else region.label or None for region in regions]
    all_of, so_far = Counter(labels), Counter[str | None]()
    words = []
    for number, (region, label) in enumerate(zip(regions, labels, strict=True), start=1):
        so_far[label] += 1
        numbered = f"{label} {so_far[label]}" if label and all_of[label] > 1 else label
        words.append("the whole picture" if region.is_full else numbered or f"region {number}")
    return tuple(words)


def looks(explanation: Explanation) -> tuple[Look, ...]:
    """Return how each region is drawn. Raises BadMask."""
    regions = explanation.regions
    larger_of = wholes(tuple(None if one.is_full else (one.rle, one.size, one.label) for one in regions))
    found: list[Look] = []
    for region, larger in zip(regions, larger_of, strict=True):
        if not explanation.is_read:
            found.append("waiting")
        elif region.mentioned:
            found.append("mentioned")
        else:
            found.append("part" if any(regions[whole].mentioned for whole in larger) else "unmentioned")
    return tuple(found)


def about_regions(explanation: Explanation) -> tuple[str, ...]:
    """Describe each region: its mark, and the reason or the phrase that mentions it best."""
    by_labels = decided_by_labels(explanation)
    return tuple(_about_region(region, explanation, by_labels) for region in explanation.regions)


def _about_region(region: Region, explanation: Explanation, by_labels: bool) -> str:
    if not explanation.is_read:
        return NOT_COMPARED
    mark = "mentioned" if region.mentioned else "not mentioned"
    if by_labels and region.reason:
        return f"{mark}. {region.reason}"
    if region.phrase is None:
        return mark
    best = f"“{shown_words(explanation.phrases[region.phrase])}”"
    return f"mentioned by {best}" if region.mentioned else f"not mentioned; nearest phrase is {best}"


def about_phrases(explanation: Explanation, numbered: bool = True) -> tuple[str, ...]:
    """Describe each phrase: its mark, the reason or the regions that belong to it, and its precision.

    numbered: whether the words contain the precision. Without it they name no encoder either, as raters must not know
    it.
    """
    called = names(explanation.regions)
    return tuple(_about(phrase, explanation, called, numbered) for phrase in explanation.phrases)


def _about(phrase: Phrase, explanation: Explanation, called: Sequence[str], numbered: bool) -> str:
    seen = _seen(explanation.encoder) if numbered else "the picture"
    marks: dict[Mark, str] = {
        "correct": f"supported by {seen}",
        "incorrect": f"contradicted by {seen}",
        "not judged": "unknown",
    }
    number = f" {_precision(phrase)}" if numbered else ""
    start = f"“{shown_words(phrase)}”: {marks[phrase.mark]}"
    if phrase.reason:
        return f"{start}. {phrase.reason}{number}"
    things = ", ".join(f"{SIGNS[thing.mark]} {thing.text}" for thing in phrase.things)
    linked = [called[region] for region in linked_regions(phrase, explanation)]
    link = f"its regions are {', '.join(linked)}" if len(linked) > 1 else "no region matches it"
    link = f"its nearest region is {linked[0]}" if len(linked) == 1 else link
    return f"{start}{f' ({things})' if things else ''}; {link}.{number}"


def _seen(encoder: str | None) -> str:
    """Return the name of what the caption was compared with."""
    kind = None if encoder is None else encoder_kind(encoder)
    return "the annotations" if kind == LABELS else kind or "the picture"


def _precision(phrase: Phrase) -> str:
    if phrase.precision is None:
        return "The score does not compare this phrase."
    return f"Precision {half_up(phrase.precision, 3)}: similarity to the region that fits best."


def shown_words(phrase: Phrase) -> str:
    """Return a phrase in the caption's own words."""
    return phrase.shown or phrase.text


def decided_by_labels(explanation: Explanation) -> bool:
    """Return whether regions' labels decided the marks. Then phrases name things, or regions have reasons."""
    phrases, regions = explanation.phrases, explanation.regions
    return any(phrase.things for phrase in phrases) or (bool(phrases) and any(region.reason for region in regions))


def linked_regions(phrase: Phrase, explanation: Explanation) -> tuple[int, ...]:
    """Return the indices of a phrase's regions.

    If labels decided the marks, these are all regions that the phrase names. Otherwise this is the nearest region, but
    only if the similarity reaches the score's threshold.
    """
    is_strong = explanation.cut is not None and phrase.support >= explanation.cut
    return phrase.linked if phrase.things or is_strong else ()


def linked_phrase(region: Region, explanation: Explanation) -> int | None:
    """Return the index of the phrase that belongs to a region. Return None if no phrase matches the region."""
    is_strong = explanation.cut is not None and region.support >= explanation.cut
    return region.phrase if is_strong else None


def counts(explanation: Explanation) -> str:
    """Say how many regions and things are mentioned. Return "" if nothing was compared."""
    if not explanation.phrases:
        return ""
    regions = [region for region in explanation.regions if not region.is_full]
    things = {thing.span: thing for phrase in explanation.phrases for thing in phrase.things}.values()
    line = f"{sum(region.mentioned for region in regions)} of {counted(len(regions), 'region')} mentioned"
    found = sum(thing.mark == "correct" for thing in things)
    return f"{line} · {found} of {counted(len(things), 'thing')} found" if things else line


def note(explanation: Explanation) -> str:
    """Say what the marks and numbers of the phrases do not show: denials, and marks that disagree with the numbers."""
    denies = any(phrase.kind == "denied" for phrase in explanation.phrases)
    odd = [f"{SIGNS[one.mark]} {shown_words(one)}" for one in explanation.phrases if _is_odd(one, explanation.cut)]
    disagree = f"{', '.join(odd)}: labels decide the mark, and similar words decide the number." if odd else ""
    return " ".join(filter(None, (NEGATION if denies else "", disagree)))


def _is_odd(phrase: Phrase, cut: float | None) -> bool:
    """Return whether a phrase's mark, which labels decided, disagrees with its precision."""
    if not phrase.reason or phrase.precision is None or cut is None or phrase.mark == "not judged":
        return False
    return (phrase.mark == "correct") != (phrase.precision >= cut)


def about_hints(sentence: str, hints: Sequence[Hint]) -> str:
    """Say where the regions show the objects that a sentence of an explanation names."""
    told = (f"“{sentence[one.start : one.end]}”{_STANCE[one.stance]}: {_WHERE[one.where]}" for one in hints)
    return "; ".join(told) or "The sentence names nothing that has a region of its own in this picture"


def contradicts(hint: Hint) -> bool:
    """Return whether a hint shows that its sentence is wrong."""
    if hint.stance == "denied":
        return hint.where == "picture"
    return hint.where == "nowhere" or (hint.where == "caption" and hint.stance != "reported")
