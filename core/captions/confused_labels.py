"""Labels that annotators confuse: a chair may have the label "couch"."""

from collections.abc import Iterable

from core.captions.nouns import NounTable

# Annotators may use either name for one thing. So a label with one name does not contradict the other name.
CONFUSED = tuple(
    frozenset(names.split("|"))
    for names in (
        "chair|couch|bench", "car|truck", "apple|orange", "cup|wine glass", "backpack|handbag", "oven|microwave",
        "potted plant|vase", "skis|snowboard", "bicycle|motorcycle", "cake|donut", "teddy bear|bear",
        "cup|bowl", "vase|bottle", "suitcase|backpack", "bus|truck", "bus|train", "tv|laptop",
        "cat|lion", "cat|lioness", "cat|tiger", "cat|cheetah", "cat|leopard", "tower|pagoda",
    )
)  # fmt: skip


def has_other_name(noun: str, labels: Iterable[str], nouns: NounTable) -> bool:
    """Return whether annotators may have labelled a noun's thing with another name, such as a chair as "couch".

    labels: labels of regions that may show the thing. A region that the caption names by another noun ("a chair and a
    couch") shows another thing.
    """
    given = tuple(labels)
    for names in CONFUSED:
        own = {name for name in names if nouns.naming(noun, name, likeliest=True) == "is"}
        if own and any(nouns.same(name, label) for name in names - own for label in given):
            return True
    return False
