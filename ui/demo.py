"""The demo study: photographs out of installed packages, with scores and explanations written by hand."""

from importlib.util import find_spec
from pathlib import Path

from core.study import StudyRequest
from ui import services
from ui.services import Workplace

DATASET = "demo"
STUDY = "Demo"
NOTICE = "Demo: these scores and explanations are illustrations written by hand. No metric made them."
_FILE = Path(__file__).parent.parent / "assets" / "demo" / "demo.jsonl"
_PICTURES = (
    ("ultralytics", "assets"),
    ("matplotlib", "mpl-data/sample_data"),
    ("gradio", "media_assets/images"),
)


def ensure_demo(workplace: Workplace) -> None:
    """Make the demo study where there is neither a data set nor a study yet."""
    repository = workplace.repository
    if repository.samples.datasets() or repository.studies.all():
        return
    services.import_files(workplace, "jsonl", [_FILE], DATASET, picture_folders())
    repository.samples.set_notice(DATASET, NOTICE)
    services.create_study(workplace, StudyRequest(STUDY, DATASET, seed=1))


def picture_folders() -> list[Path]:
    """Return the folders of the installed packages that hold the demo's photographs; nothing is imported."""
    specs = ((find_spec(package), folder) for package, folder in _PICTURES)
    folders = [Path(spec.origin).parent / folder for spec, folder in specs if spec is not None and spec.origin]
    return [folder for folder in folders if folder.is_dir()]
