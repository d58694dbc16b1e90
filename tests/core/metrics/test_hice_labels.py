"""What labels bear out of a caption: a picture with two people, a dog and a crowd of birds, searched for six kinds."""

import numpy as np
import pytest

from core.captions.judging.caption import LabelledCaption
from core.captions.judging.scene import LabelledScene
from core.captions.reading.facts import Fact
from core.captions.reading.lexicon import lexicon
from core.captions.reading.phrases import CaptionPhrase, NamedThing
from core.metrics.hice_links import linked_by_labels
from core.regions import masks
from core.types import ImageRegion

SIZE = (4, 6)
TABLE = lexicon()
LABELS = ("person", "person", "dog", "bird")
VOCABULARY = ("person", "dog", "bird", "cat", "hot dog", "dining table")
REGIONS = (
    *(ImageRegion(masks.full(SIZE), SIZE, label, is_crowd=label == "bird") for label in LABELS),
    ImageRegion(masks.full(SIZE), SIZE, is_full=True),
)
DOG = {2}


@pytest.fixture
def scene() -> LabelledScene:
    return LabelledScene(REGIONS, VOCABULARY, TABLE, lambda noun, label: (noun, label) == ("woofy", "dog"))


def said(*parts: str) -> CaptionPhrase:
    fact = Fact(*parts)
    kind = {"relation": "relation", "entity": "entity"}.get(fact.kind, "attribute")
    things = tuple(NamedThing(name, (0, 3)) for name in fact.things)
    return CaptionPhrase(fact.text, (0, 3), kind, fact, things)  # type: ignore[arg-type]


def caption(scene: LabelledScene, *phrases: CaptionPhrase) -> LabelledCaption:
    return LabelledCaption(scene, phrases)


def test_what_the_table_lacks_goes_to_the_encoder(scene: LabelledScene) -> None:
    assert set(scene.regions_of("woofy")) == DOG
    assert scene.regions_of("tweety-b") == {}


def test_regions_that_a_caption_means_are_worded_as_it_words_them_and_others_keep_their_labels(
    scene: LabelledScene,
) -> None:
    plain, first = caption(scene, said("man", "see", "woman"), said("puppy")).in_words()
    assert plain == REGIONS
    assert [region.label for region in first] == ["man", "woman", "puppy", "bird", None]
    _, worded = caption(scene, said("pitcher")).in_words()
    assert [region.label for region in worded] == ["pitcher", "person", "dog", "bird", None]


def test_phrases_are_linked_with_regions_that_they_name_and_no_others(scene: LabelledScene) -> None:
    phrases = (said("dog", "run"), said("hat", "is", "red"))
    matrix = np.array([[0.9, 0.8], [0.1, 0.1], [0.6, 0.2], [0.3, 0.4], [0.5, 0.5]])
    found = linked_by_labels(matrix, REGIONS, phrases, caption(scene, *phrases))
    assert [(phrase.region, phrase.support) for phrase in found.phrases] == [(2, 0.9), (None, 0.8)]
    assert [region.phrase for region in found.regions] == [None, None, 0, None, None]
    assert [region.mentioned for region in found.regions] == [False, False, True, False, True]
    nothing = linked_by_labels(matrix[:, 1:], REGIONS, phrases[1:], caption(scene, *phrases[1:]))
    assert not any(region.mentioned for region in nothing.regions)
