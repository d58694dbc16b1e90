"""Return a list of samples as a page or as a file."""

from collections.abc import Iterator
from dataclasses import replace

from core.datasets.own_form import line_of
from core.errors import BadSetting
from storage.data.matching import MADE_KEY
from storage.types import SamplePage, Search, StoredSample
from ui.services.analysis.analyst import Analyst


def page(
    analyst: Analyst, wanted: Search, slice_name: str | None, offset: int, limit: int, around: int | None
) -> SamplePage:
    """Return a page of a list, or the page that contains a given sample. Raises NotFound, BadSetting."""
    samples = analyst.workplace.repository.samples
    return samples.search(_within(analyst, wanted, slice_name), offset, limit, around)


def lines(analyst: Analyst, wanted: Search, slice_name: str | None) -> Iterator[str]:
    """Return a list of samples as lines of Capscope's JSONL format, which `import jsonl` reads.

    Many lines are joined into one text. The server handles each text in another thread, so one text per line would be
    slow. Raises NotFound, BadSetting.
    """
    samples, several = analyst.workplace.repository.samples, wanted.dataset is None
    found = samples.many(samples.ids(_within(analyst, wanted, slice_name)))
    return (
        "".join(line_of(stored.sample, _key(stored, several), stored.outcomes, stored.pair) for stored in batch)
        for batch in found.parts()
    )


def _within(analyst: Analyst, wanted: Search, slice_name: str | None) -> Search:
    """Limit a search to a slice (saved filter), whose samples are found with columns that Analyse caches."""
    if slice_name is None:
        return wanted
    if wanted.dataset is None:
        raise BadSetting("A slice belongs to a data set. Choose the data set first.")
    return replace(wanted, among=tuple(analyst.table(wanted.dataset, slice_name)["id"].tolist()))


def _key(stored: StoredSample, several: bool) -> str | None:
    """Return the key by which a list names a sample, or None.

    None: the source gave no key, so Capscope made one. several: the list has samples of several data sets, which may
    use the same key. The result then begins with the name of the data set.
    """
    key = stored.sample.key
    if key.startswith(MADE_KEY):  # Capscope made this key, because the source had none
        return None
    return f"{stored.dataset}/{key}" if several else key
