"""Suggest edits of a stored sample's caption."""

from core.captions.edits import Trial, trials
from core.captions.nouns import TABLE, bundled_nouns
from core.types import Sample


def trials_of(sample: Sample) -> tuple[Trial, ...]:
    """Return edits of a caption that change its score instructively.

    The result is empty if the picture has no labelled regions or the table of nouns is missing.
    """
    labels = [region.label for region in sample.image.regions if region.label]
    if not labels or not TABLE.is_file():
        return ()
    return trials(sample.candidate, labels, sample.image.vocabulary, bundled_nouns())
