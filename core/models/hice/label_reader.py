"""Extract the phrases of region labels that have several words.

The labels are parsed in the same way as captions, each label only once.
"""

from collections.abc import Mapping, Sequence

from core.captions.phrases import CaptionPhrase, PhraseExtractor

MOST_KEPT = 10_000  # maximum labels in memory, because some data sets describe each region with a new label


class LabelReader:
    """Extracts the phrases of labels and caches them in memory."""

    def __init__(self, phrases: PhraseExtractor) -> None:
        """Take the extractor that finds the phrases of captions and labels."""
        self._phrases = phrases
        self._read: dict[str, tuple[CaptionPhrase, ...]] = {}

    def __call__(self, labels: Sequence[str]) -> Mapping[str, Sequence[CaptionPhrase]]:
        """Return the phrases of each label of several words. A label of one word has no phrases."""
        several = [label for label in labels if len(label.split()) > 1]
        new = [label for label in several if label not in self._read]
        phrases_by_label = (
            {**self._read, **dict(zip(new, self._phrases.phrases(new), strict=True))} if new else self._read
        )
        if new:
            self._read = phrases_by_label if len(phrases_by_label) <= MOST_KEPT else {}
        return {label: phrases_by_label[label] for label in several}
