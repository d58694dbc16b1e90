"""The demo study: photographs out of installed packages, with scores, explanations and regions made by hand."""

from importlib.util import find_spec
from pathlib import Path

from core.datasets import format_named, raise_bad
from core.studies.planning import StudyRequest
from ui.services import studies as services
from ui.services.imports import import_files
from ui.services.workplace import Workplace

DATASET = "demo"
STUDY = "Demo"
NOTICE = "Demo: these scores and explanations are illustrations written by hand. No metric made them."
_FILE = Path(__file__).parents[2] / "assets" / "demo" / "demo.jsonl"
_REGIONS = _FILE.with_name("regions.json")
_PICTURES = (
    ("ultralytics", "assets"),
    ("matplotlib", "mpl-data/sample_data"),
    ("gradio", "media_assets/images"),
)


def ensure_demo(workplace: Workplace) -> None:
    """Make the demo where there is no data set yet, and whatever is missing of a demo that was left half made."""
    samples, studies = workplace.repository.samples, workplace.repository.studies
    there = samples.has_dataset(DATASET)
    if not there and samples.has_any():
        return
    if there and ((samples.has_regions(DATASET) and studies.has_any()) or not _is_ours(workplace)):
        return
    import_files(workplace, "jsonl", [_FILE], DATASET, picture_folders(), regions=_REGIONS)
    samples.set_notice(DATASET, NOTICE)
    if not studies.has_any():
        services.create_study(workplace, StudyRequest(STUDY, DATASET, seed=1))


def _is_ours(workplace: Workplace) -> bool:
    """Return whether the data set of the demo's name holds the demo's pictures and no others."""
    pictures = {record.image for record in format_named("jsonl").read(_FILE, raise_bad)}
    return pictures == workplace.repository.samples.pictures(DATASET).keys()


def picture_folders() -> list[Path]:
    """Return the folders of the installed packages that hold the demo's photographs; nothing is imported."""
    specs = ((find_spec(package), folder) for package, folder in _PICTURES)
    folders = [Path(spec.origin).parent / folder for spec, folder in specs if spec is not None and spec.origin]
    return [folder for folder in folders if folder.is_dir()]
