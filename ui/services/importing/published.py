"""Fetch published data from their authors' repositories, check them, and import them with published scores."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

from core.datasets.published_files import PublishedData
from core.errors import Cancelled, FetchFailed
from core.long_work.progress import Progress, no_progress
from core.network import Downloads
from core.network.download import PublishedFile
from ui.services.importing.importing import ImportReport, import_files
from ui.services.workplace import Workplace

PLACE = "published"  # folder of fetched files in the data folder
SCORES = "fleur-results"  # format of every set of published scores that can be fetched
State = Literal["imported", "fetched", "absent"]


def get_published(
    workplace: Workplace,
    data: PublishedData,
    downloads: Downloads,
    progress: Progress = no_progress,
    *,
    images: Sequence[Path] = (),
    received: bool = False,
) -> ImportReport:
    """Fetch published data, check them, and import them.

    The data set has the same name as the published data, and gets the published scores. images: folders of pictures.
    received: see import_files. Fetched files stay in the data folder, so a second call fetches nothing. If the user
    cancels while scores are added, the data set stays without the scores.

    Raises FetchFailed, whose message says how to fetch the files by hand. Raises the errors of import_files.
    """
    _fetch(workplace.data_dir, data, downloads, progress)
    place = partial(stored_path, workplace.data_dir, data)
    add = partial(import_files, workplace, dataset=data.name, progress=progress, received=received)
    report = add(data.format, [place(file) for file in data.files], image_folders=images)
    counts, notes = report.counts, list(report.notes)
    if data.scores:
        try:
            joined = add(SCORES, [place(file) for file in data.scores], skip_bad=True, known_only=True)
        except Cancelled:  # the data set is complete, so the page must not say that nothing was imported
            notes.append(f"You cancelled before FLEUR's scores were added. To add them, get {data.name} again.")
        else:
            scores, added = counts.scores + joined.counts.scores, counts.scores_added + joined.counts.scores_added
            counts = replace(counts, scores=scores, scores_added=added)
            notes.append(f"FLEUR's published scores: {joined.counts.scores:,} scores were added to their captions.")
            if lacking := len(joined.skipped):
                notes.append(f"Published scores of captions that the data set lacks were skipped: {lacking:,}.")
    notes += [f"Licence: {data.licence}.", f"Please cite: {data.citation}", f"{data.pictures}."]
    return replace(report, counts=counts, notes=tuple(notes))


def stored_path(data_dir: Path, data: PublishedData, file: PublishedFile) -> Path:
    """Return the path of a fetched file in the data folder."""
    return data_dir / PLACE / data.repository / data.commit / file.path


def states(workplace: Workplace, all_data: Sequence[PublishedData]) -> list[State]:
    """Return the state of each published data set.

    The state is imported, or fetched if its files exist, or absent. The content of files is not checked.
    """
    datasets = {one.name for one in workplace.repository.samples.datasets()}
    return [
        "imported"
        if data.name in datasets
        else "fetched"
        if all(stored_path(workplace.data_dir, data, file).is_file() for file in data.all_files)
        else "absent"
        for data in all_data
    ]


def _missing(data_dir: Path, data: PublishedData) -> list[PublishedFile]:
    """Return the files that are missing or differ from the published files."""
    places = {file: stored_path(data_dir, data, file) for file in data.all_files}
    return [file for file, path in places.items() if not path.is_file() or file.flaw(path) is not None]


def _fetch(data_dir: Path, data: PublishedData, downloads: Downloads, progress: Progress) -> None:
    missing = _missing(data_dir, data)
    if not missing:
        return
    from core.network.download import client_for, download  # imported late, because this imports httpx2, which is slow

    try:
        with client_for(downloads, data.address(missing[0], downloads.mirror)) as client:
            for file in missing:
                tell = partial(progress, f"Fetching {file.name}")
                address = data.address(file, downloads.mirror)
                download(client, address, stored_path(data_dir, data, file), file, tell)
    except FetchFailed as error:
        places = (f"{data.address(file)} as {stored_path(data_dir, data, file)}" for file in _missing(data_dir, data))
        by_hand = f"To download it yourself, save {', '.join(places)}, and get {data.name} again."
        raise type(error)(f"{error} Nothing of {data.name} was imported. {by_hand}") from error
