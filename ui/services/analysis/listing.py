"""Return a list of samples as a page, as a file, or as a new data set."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.datasets.own_form import line_of
from core.errors import BadSetting, NotEnoughSamples
from storage.data.matching import MADE_KEY
from storage.types import SamplePage, Search, StoredSample
from ui.services.analysis.analyst import Analyst
from ui.services.importing.importing import checked_name


class Listing:
    """Answers requests for lists of samples.

    The samples of a slice (saved filter) are found with columns that Analyse caches.
    """

    def __init__(self, analyst: Analyst) -> None:
        self._analyst = analyst
        self._samples = analyst.workplace.repository.samples

    def page(self, wanted: Search, slice_name: str | None, offset: int, limit: int, around: int | None) -> SamplePage:
        """Return a page of a list, or the page that contains a given sample. Raises NotFound, BadSetting."""
        return self._samples.search(self._within(wanted, slice_name), offset, limit, around)

    def lines(self, wanted: Search, slice_name: str | None) -> Iterator[str]:
        """Yield a list of samples as lines of Capscope's JSONL format.

        `import jsonl` reads this format. Many lines are joined into one text. The server handles each text in another
        thread, so one text per line would be slow. Raises NotFound, BadSetting.
        """
        return self._lines(self._samples.ids(self._within(wanted, slice_name)), several=wanted.dataset is None)

    def _lines(self, ids: Sequence[int], several: bool) -> Iterator[str]:
        for batch in self._samples.many(ids).parts():
            yield "".join(
                line_of(stored.sample, _key(stored, several), stored.outcomes, stored.pair) for stored in batch
            )

    def make_dataset(self, wanted: Search, slice_name: str | None, name: str) -> int:
        """Make a data set from a list. Returns the number of its samples.

        Raises NotFound, AlreadyExists, NotEnoughSamples for an empty list, and BadSetting for a list of several data
        sets.
        """
        if wanted.dataset is None:
            raise BadSetting(
                "Choose one data set first, because samples of different data sets may have the same names."
            )
        made = checked_name(name)
        ids = self._samples.ids(self._within(wanted, slice_name))
        if not ids:
            raise NotEnoughSamples("The list is empty. Change its filters first.")
        return self._analyst.workplace.repository.copy_samples(wanted.dataset, ids, made)

    def _within(self, wanted: Search, slice_name: str | None) -> Search:
        if slice_name is None:
            return wanted
        if wanted.dataset is None:
            raise BadSetting("A slice belongs to a data set. Choose the data set first.")
        ids = self._analyst.table(wanted.dataset)["id"][self._analyst.chosen(wanted.dataset, slice_name)]
        return replace(wanted, among=tuple(ids.tolist()))


def _key(stored: StoredSample, several: bool) -> str | None:
    """Return the key by which a list names a sample, or None.

    None: the source gave no key, so Capscope made one. several: the list has samples of several data sets, which may
    use the same key. The result then begins with the name of the data set.
    """
    key = stored.sample.key
    if key.startswith(MADE_KEY):  # Capscope made this key, because the source had none
        return None
    return f"{stored.dataset}/{key}" if several else key
