"""Describe in up to five short sentences what a caption says and omits, from the marks of its phrases and regions."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from core.captions.judging.kinds import wholes
from core.captions.reading.lexicon import head
from core.captions.reading.words import article, is_plural, plural
from core.types import Explanation, Mark, Phrase, Region, Thing

MOST_NAMED = 3  # maximum number of omitted regions that are named; the sentence must be readable in ten seconds
MOST_LETTERS = 70  # maximum number of characters of all named regions together; further regions are only counted
MOST_OF_THE_LAST = 20  # maximum characters of the last name in the list; a longer one is replaced by "one more"
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
BACKGROUNDS = frozenset({"background", "backdrop"})  # labels of regions that a caption need not mention
SEVERAL = frozenset({"two", "three", "four", "many", "people"})


def summary(explanation: Explanation) -> str:
    """Return the sentences. Raises BadMask."""
    phrases = explanation.phrases
    things = tuple({thing.span: thing for phrase in phrases for thing in phrase.things}.values())
    stated, denied = ([one for one in phrases if one.kind == kind] for kind in ("stated", "denied"))
    wrong = [_words(one) for one in (phrases if things else denied) if _is_wrong_of_present_things(one)]
    are_all_there = bool(things) and _count(things, "correct") == len(things)
    right = [f"“{_words(one)}”" for one in denied if one.mark == "correct"]
    absent = dict.fromkeys(_with_article(one.text.lower()) for one in things if one.mark == "incorrect")
    sentences = [_said(things, stated, denied, wrong if are_all_there else [])]
    sentences += [f"Rightly says {_listed(right)}."] if right else []
    sentences += [f"Makes up {_listed(list(absent))}."] if absent else []
    sentences += [f"Wrong: {_listed(wrong)}."] if wrong and not are_all_there else []
    sentences += [_omitted(explanation.regions)] if any(not one.is_full for one in explanation.regions) else []
    return " ".join(filter(None, sentences))


def _words(phrase: Phrase) -> str:
    return phrase.shown or phrase.text


def _is_wrong_of_present_things(phrase: Phrase) -> bool:
    return phrase.mark == "incorrect" and all(thing.mark != "incorrect" for thing in phrase.things)


def _count(marked: Iterable[Thing | Phrase], mark: Mark) -> int:
    return sum(one.mark == mark for one in marked)


def _said(things: Sequence[Thing], stated: Sequence[Phrase], denied: Sequence[Phrase], wrong: Sequence[str]) -> str:
    """Say how many things a caption names and how many are there; an encoder judges only whole phrases."""
    if not things and denied and not stated:
        unknown = _count(denied, "not judged")
        return _unconfirmed("Denies", unknown) if unknown == len(denied) else ""
    named: Sequence[Thing | Phrase] = things or stated
    verb, count = "Names" if things else "Says", len(named)
    found, unknown = _count(named, "correct"), _count(named, "not judged")
    if not count:
        return "Says nothing that can be compared with the picture."
    if unknown == count:
        return _unconfirmed(verb, count)
    if not things and found == count:
        return "Says 1 thing, and it fits." if count == 1 else f"Says {count} things, and all fit."
    if not things:
        return f"Says {counted(count, 'thing')}, {found or 'none'} of which {'fits' if found == 1 else 'fit'}."
    if found == count:
        but = f", but gets {counted(len(wrong), 'phrase')} wrong: {_listed(wrong)}" if wrong else ""
        there = {1: "which is", 2: "both"}.get(count, "all")
        return f"Names {counted(count, 'thing')}, {there} in the picture{but}."
    there = f", {found} in the picture" if found else "" if unknown else ", none in the picture"
    return f"Names {counted(count, 'thing')}{there}{f', {unknown} unknown' if unknown else ''}."


def _unconfirmed(verb: str, count: int) -> str:
    return f"{verb} {counted(count, 'thing')}. The annotations cannot confirm {'it' if count == 1 else 'them'}."


def counted(count: int, one: str) -> str:
    """Return a number with its noun: "1 thing", "2 things"."""
    return f"1 {one}" if count == 1 else f"{count} {one}s"


def _omitted(regions: Sequence[Region]) -> str:
    """Name the omitted regions: things first, then parts of mentioned things, then backgrounds."""
    larger = wholes(tuple(None if one.is_full else (one.rle, one.size, one.label) for one in regions))
    ranked = sorted(
        (2 if _is_background(one.label) else int(any(regions[whole].mentioned for whole in larger[place])), place)
        for place, one in enumerate(regions)
        if not (one.is_full or one.mentioned)
    )
    if not ranked:
        return "Omits nothing that is annotated."
    if all(rank == 2 for rank, _ in ranked):
        return "Omits only the background."
    labels = [label for _, place in ranked if (label := regions[place].label)]
    if len(labels) < len(ranked):
        return f"Omits {len(ranked)} of {counted(sum(not one.is_full for one in regions), 'region')}."
    return f"Omits {_listed(_shortened(Counter(labels)))}."


def _shortened(times: Counter[str]) -> list[str]:
    """Return each label once, with "the" or its count; of many labels the first ones, and how many are left."""
    names = [f"the {label}" if n == 1 else f"{_number(n)} {_plural_of(label)}" for label, n in times.items()]
    told = [
        name
        for place, name in enumerate(names)
        if place == 0 or (place < MOST_NAMED and len(", ".join(names[: place + 1])) <= MOST_LETTERS)
    ]
    if len(told) == len(names) - 1 and len(names[-1]) <= MOST_OF_THE_LAST:
        return names  # "one more" is hardly shorter
    more = sum(list(times.values())[len(told) :])
    return [*told, *([f"{_number(more)} more"] if more else [])]


def _number(count: int) -> str:
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def _is_background(label: str | None) -> bool:
    return bool(BACKGROUNDS & set(head(label or "").split()[-1:]))


def _plural_of(label: str) -> str:
    name = head(label)
    return label if _is_plural(name.split()) else label.replace(name, plural(name), 1)


def _is_plural(words: Collection[str]) -> bool:
    *before, last = words
    return is_plural(last) or bool(SEVERAL & set(before)) or last == "scissors"


def _with_article(noun: str) -> str:
    words = noun.split()
    return noun if _is_plural(words) or words[0].isdigit() or words[0] in SEVERAL else f"{article(noun)} {noun}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
