"""Fetch the pictures from COCO that a data set names, one after the other.

The data set then shows these pictures with its captions.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.datasets.coco import COCO, picture_paths
from core.errors import AbsentFile, BadImage, BadSetting, FetchFailed, Unreachable
from core.images.sandbox import thumbnail_apart
from core.long_work.progress import Progress, no_progress
from core.network import Downloads
from core.network.download import PublishedFile
from core.types import ImageRef
from ui.services.importing.own_pictures import LARGEST_PICTURE
from ui.services.importing.published import PLACE
from ui.services.workplace import Workplace

FETCHING = "Fetching COCO's pictures"
PAUSE_S = 0.5  # default pause between two requests in seconds
BY_HAND = (
    "Download the pictures of Flickr8k, Flickr30k and VOC2012 yourself, because their owners provide them only on "
    "request: docs/how-to/get-published-data.md describes where."
)


@dataclass(frozen=True, slots=True)
class CocoReport:
    """The result of fetching pictures from COCO."""

    dataset: str
    fetched: int
    shown: int  # number of pictures that the data set did not have before and has now
    missing: int  # number of COCO pictures that the data set still lacks
    others: int  # number of missing pictures whose names are not COCO file names
    failed: tuple[str, ...]  # reasons why pictures were not fetched, in the order of the requests
    stopped: str = ""  # reason why fetching stopped early; "": it did not


def get_coco_pictures(
    workplace: Workplace,
    dataset: str,
    downloads: Downloads,
    progress: Progress = no_progress,
    *,
    limit: int | None = None,
    pause_s: float = PAUSE_S,
) -> CocoReport:
    """Fetch COCO pictures that a data set names but lacks.

    limit: maximum number of pictures to fetch; None: all. pause_s: seconds between two requests. downloads.mirror: an
    address with the same paths as COCO's server. Fetched pictures stay in the data folder. If the server stops
    answering, the data set shows the pictures fetched until then.

    Raises NotFound. Raises BadSetting if the data set lacks no COCO picture.
    """
    lacking = [name for name, image in workplace.repository.samples.pictures(dataset).items() if image.path is None]
    wanted = {name: found for name in lacking if (found := picture_paths(name))}
    if not lacking:
        raise BadSetting(f"The data set {dataset} has all its pictures.")
    if not wanted:
        raise BadSetting(f"The pictures that the data set {dataset} lacks are not COCO pictures. {BY_HAND}")
    chosen = dict(list(wanted.items())[:limit])
    folder = workplace.data_dir / PLACE / "coco"
    fetched, failed, stopped = _fetch(chosen, folder, downloads, progress, pause_s)
    images, broken = _taken_in(workplace, chosen, folder, progress)
    if images:
        workplace.repository.samples.add_pictures(dataset, images)
    missing, others = len(wanted) - len(images), len(lacking) - len(wanted)
    return CocoReport(dataset, fetched, len(images), missing, others, (*failed, *broken), stopped)


def _fetch(
    chosen: Mapping[str, Sequence[str]], folder: Path, downloads: Downloads, progress: Progress, pause_s: float
) -> tuple[int, list[str], str]:
    """Fetch pictures from COCO into a folder.

    Return how many pictures were fetched, why others failed, and why fetching stopped.
    """
    from core.network.download import client_for, download  # imported late, because httpx2 takes long to import

    fetched, failed, base = 0, list[str](), downloads.mirror or COCO
    with client_for(downloads, base) as client:
        for done, (name, paths) in enumerate(chosen.items()):
            progress(FETCHING, done, len(chosen))
            if (folder / name).is_file():
                continue
            try:
                for place, path in enumerate(paths, 1):
                    time.sleep(pause_s)
                    try:
                        download(client, base + path, folder / name, PublishedFile(name, most=LARGEST_PICTURE))
                        break
                    except AbsentFile:  # the picture may be at the next path
                        if place == len(paths):
                            raise
                fetched += 1
            except Unreachable as error:
                return fetched, failed, str(error)
            except FetchFailed as error:
                failed.append(str(error))
    progress(FETCHING, len(chosen), len(chosen))
    return fetched, failed, ""


def _taken_in(
    workplace: Workplace, chosen: Mapping[str, Sequence[str]], folder: Path, progress: Progress
) -> tuple[dict[str, ImageRef], list[str]]:
    """Check fetched pictures in a separate process. A file that is not a picture is deleted."""
    images, broken = {}, []
    for done, name in enumerate(chosen, start=1):
        progress("Reading pictures", done, len(chosen))
        path = folder / name
        if not path.is_file():
            continue
        try:
            images[name] = workplace.pictures.take_in(name, path, thumbnail_apart)
        except BadImage as error:
            path.unlink()
            broken.append(str(error))
    return images, broken
