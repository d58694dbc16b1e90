"""The demo study: photographs out of installed packages, with scores, explanations and regions made by hand."""

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from core.datasets import format_named, raise_bad
from core.studies.planning.plan import StudyRequest
from core.types import Sample
from storage.types import Search
from ui.services.demo_outcomes import outcome_on, read_outcomes
from ui.services.importing.importing import import_files
from ui.services.studies import actions as services
from ui.services.workplace import Workplace

DATASET = "demo"
STUDY = "Demo"
NOTICE = (
    "Demo: the explanations in words, their scores and the human judgements are illustrations written by hand. "
    "No metric made them."
)
_FILE = Path(__file__).parents[2] / "assets" / "demo" / "demo.jsonl"
_REGIONS = _FILE.with_name("regions.json")
_PICTURES = (  # package, folder in it, licence, photographs; other packages have other pictures of the same names
    ("ultralytics", "assets", "AGPL-3.0, from the package ultralytics", ("bus.jpg", "zidane.jpg")),
    ("matplotlib", "mpl-data/sample_data", "public domain, from the package matplotlib", ("grace_hopper.jpg",)),
    ("gradio", "media_assets/images", "Apache-2.0, from the package gradio", ("lion.jpg", "tower.jpg", "cheetah.jpg")),
)
LICENCES = {name: licence for _, _, licence, names in _PICTURES for name in names}  # of the photographs


def ensure_demo(workplace: Workplace) -> None:
    """Make the demo where there is no data set yet, and whatever is missing of one that is half made, or older.

    Nothing that is there is changed, so that what people rated stays what they saw.
    """
    samples, studies = workplace.repository.samples, workplace.repository.studies
    there = samples.has_dataset(DATASET)
    if (not there and samples.has_any()) or (there and not _is_ours(workplace)):
        return
    if not there or not samples.has_regions(DATASET) or not studies.has_any():
        with TemporaryDirectory(prefix="capscope-demo-") as folder:
            for path in pictures():
                (Path(folder) / path.name).symlink_to(path)
            import_files(workplace, "jsonl", [_FILE], DATASET, [Path(folder)], regions=_REGIONS, outside=True)
        samples.set_notice(DATASET, NOTICE)
    if not studies.has_any():
        services.create_study(workplace, StudyRequest(STUDY, DATASET, seed=1))
    samples.fill_vocabulary(DATASET, json.loads(_REGIONS.read_text(encoding="utf-8"))["vocabulary"])
    _add_outcomes(workplace)


def demo_samples(workplace: Workplace) -> Iterator[Sample]:
    """Yield the demo's samples with their regions, in order of import."""
    samples = workplace.repository.samples
    return (samples.get(sample_id).sample for sample_id in samples.ids(Search(DATASET)))


def _add_outcomes(workplace: Workplace) -> None:
    """Store what HICE-S says, where it is not stored and the picture is annotated as it came."""
    known = read_outcomes()
    for stored in workplace.repository.samples.many(workplace.repository.samples.ids(Search(DATASET))):
        columns = known.get(stored.sample.key)
        if columns is None or any(outcome.signature == columns["signature"] for outcome in stored.outcomes):
            continue
        image = workplace.repository.samples.get(stored.id).sample.image
        if len(image.regions) + 1 == len(columns["regions"]):  # the whole picture is the last one
            workplace.repository.scores.save(stored.id, outcome_on(columns, image))


def _is_ours(workplace: Workplace) -> bool:
    """Return whether the data set of the demo's name holds the demo's pictures and no others."""
    pictures = {record.image for record in format_named("jsonl").read(_FILE, raise_bad)}
    return pictures == workplace.repository.samples.pictures(DATASET).keys()


def licence_of(dataset: str, name: str) -> str | None:
    """Return under which licence a data set's picture may be passed on, where that is known: of the demo's."""
    return LICENCES.get(name) if dataset == DATASET else None


def pictures() -> list[Path]:
    """Return those of the demo's photographs whose packages are installed; nothing is imported."""
    found = []
    for package, folder, _, names in _PICTURES:
        spec = find_spec(package)
        if spec is not None and spec.origin:
            found += [Path(spec.origin).parent / folder / name for name in names]
    return [path for path in found if path.is_file()]
