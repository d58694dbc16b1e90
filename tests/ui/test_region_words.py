"""What pages say about regions, and how the page draws each region."""

from dataclasses import replace

import numpy as np

from core.regions import masks
from core.types import Explanation, Phrase, Region, Thing
from ui.region_words import about_phrases, about_regions, counts, looks, names, note

SIZE = (30, 40)


def region(box: tuple[int, int, int, int], support: float, label: str | None = "dog", phrase: int | None = 0) -> Region:
    mask = np.zeros(SIZE, bool)
    mask[box[1] : box[3], box[0] : box[2]] = True
    return Region(masks.encode(mask), SIZE, label, False, support, phrase, support >= 0.5)


def explanation(*regions: Region, text: str = "dog on sofa") -> Explanation:
    whole = Region(masks.full(SIZE), SIZE, None, True, 0.9, 0, True)
    return Explanation(phrases=(Phrase(text, (0, 3), 0.6, 0, "correct"),), regions=(*regions, whole))


SMALL, LARGE = region((2, 2, 5, 5), 0.61), region((0, 0, 30, 20), 0.31, "cat")


def test_a_part_of_something_mentioned_looks_other_than_what_is_not_mentioned() -> None:
    part, beside = region((2, 2, 5, 5), 0.3, "ear"), region((7, 0, 12, 3), 0.3, "cat")
    whole = region((0, 0, 9, 9), 0.6)
    assert looks(explanation(whole, part, beside))[:3] == ("mentioned", "part", "unmentioned")
    assert set(looks(explanation(region((0, 0, 9, 9), 0.3), part, beside))[:3]) == {"unmentioned"}
    assert set(looks(Explanation(regions=(whole, part)))) == {"waiting"}  # beside a caption that was not read


def test_regions_of_one_label_are_numbered_in_their_order_and_others_are_not() -> None:
    unlabelled = region((8, 8, 9, 9), 0.2, None)
    shown = explanation(SMALL, LARGE, region((6, 6, 9, 9), 0.3), unlabelled, region((9, 9, 12, 12), 0.3, ""))
    assert names(shown.regions) == ("dog 1", "cat", "dog 2", "region 4", "region 5", "the whole picture")


def test_words_of_labels_give_their_reasons_and_a_mark_that_disagrees_with_its_number_is_named() -> None:
    thing = Thing("dog", (0, 3), "incorrect")
    phrase = Phrase("dog on sofa", (0, 3), 0.9, 0, "incorrect", (thing,), reason="Annotators found no dog.")
    denied = Phrase("cat", (4, 7), 0.1, None, "correct", kind="denied", shown="no cat", compared=False)
    reasoned = replace(SMALL, reason="Label “dog” matches “dog”.")
    shown = replace(explanation(reasoned, LARGE), phrases=(phrase, denied), cut=0.5, encoder="labels/x@1")
    assert about_regions(shown)[0] == "mentioned. Label “dog” matches “dog”."
    assert about_phrases(shown) == (
        "“dog on sofa”: contradicted by the annotations. Annotators found no dog. "
        "Precision 0.900: similarity to the region that fits best.",
        "“no cat”: supported by the annotations; no region matches it. The score does not compare this phrase.",
    )
    assert about_phrases(shown, numbered=False)[1] == "“no cat”: supported by the picture; no region matches it."
    assert counts(shown) == "1 of 2 regions mentioned · 0 of 1 thing found"
    assert "negation" in note(shown) and "✗ dog on sofa: labels decide the mark" in note(shown)
    assert note(replace(shown, phrases=(replace(phrase, support=0.2),))) == ""
