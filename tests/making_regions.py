"""A score with regions for tests: two phrases, two regions and the whole picture. No test lives here."""

from core.regions import masks
from core.types import Explanation, Phrase, Region, Score
from storage import Repository
from storage.types import Search

SIGNATURE = "HICE-S|cut:0.5|regions:quokkafinder"  # a name that no page holds by chance
VALUE = 0.73172


def hice_score(caption: str, size: tuple[int, int]) -> Score:
    """Return a score whose first region is borne out by the caption's first word, for a picture (height, width)."""
    height, width = size
    left = [2, 2, width // 2, 2, width // 2, height - 2, 2, height - 2]
    right = [width // 2 + 2, 2, width - 2, 2, width - 2, height - 2, width // 2 + 2, height - 2]
    first, last = caption.split()[0], caption.split()[-1]
    regions = (
        Region(masks.from_polygons([left], size), size, "left square", False, 0.8, 0, True),
        Region(masks.from_polygons([right], size), size, "right square", False, 0.2, 1, False),
        Region(masks.full(size), size, None, True, 0.6, 0, True),
    )
    phrases = (
        Phrase(first, (0, len(first)), 0.8, 0, "correct"),
        Phrase(last, (len(caption) - len(last), len(caption)), 0.3, 1, "incorrect"),
    )
    return Score(
        "HICE-S", VALUE, SIGNATURE, (0.0, 1.0), {"gITC": 0.5}, Explanation({}, phrases, regions, 0.5, "quokkaencoder")
    )


def score_all(repository: Repository, dataset: str) -> None:
    """Give every sample of a data set whose picture was found a score with regions."""
    for stored in repository.samples.search(Search(dataset), 0, 100).samples:
        image = stored.sample.image
        if image.height and image.width:
            repository.scores.save(stored.id, hice_score(stored.sample.candidate, (image.height, image.width)))
