"""Reads labels of several words as the small captions they are, each once."""

from collections.abc import Mapping, Sequence

from core.captions.phrases import CaptionPhrase, PhraseExtractor

MOST_KEPT = 10_000  # labels; a data set whose regions are described one by one has no end of them


class LabelReader:
    """What labels say, remembered."""

    def __init__(self, phrases: PhraseExtractor) -> None:
        """Take what takes captions apart."""
        self._phrases = phrases
        self._read: dict[str, tuple[CaptionPhrase, ...]] = {}

    def __call__(self, labels: Sequence[str]) -> Mapping[str, Sequence[CaptionPhrase]]:
        """Return what each label of several words says; a single word says no more than a name."""
        several = [label for label in labels if len(label.split()) > 1]
        new = [label for label in several if label not in self._read]
        found = {**self._read, **dict(zip(new, self._phrases.phrases(new), strict=True))} if new else self._read
        if new:
            self._read = found if len(found) <= MOST_KEPT else {}
        return {label: found[label] for label in several}
