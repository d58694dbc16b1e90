"""Make the demo study.

Its photographs come from installed packages. Scores, explanations and regions were made by hand.
"""

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from core.metrics.bleu import Bleu1, Bleu4
from core.metrics.cider import CIDEr
from core.metrics.evaluator import Evaluator
from core.metrics.rouge_l import RougeL
from core.models import ModelSettings
from core.studies.design import StudyDesign
from core.types import Sample
from storage.types import Search
from ui.services.demo_outcomes import outcome_on, read_outcomes
from ui.services.importing.annotations import annotate
from ui.services.importing.importing import import_files
from ui.services.scoring.corpora import Corpora
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace

DATASET = "demo"
STUDY = "Demo"
NOTICE = (
    "Demo: the explanations in words, their scores and the human judgements are illustrations written by hand. "
    "No metric made them."
)
COMPUTED = (Bleu1, Bleu4, RougeL, CIDEr)  # metrics that are run for the demo; HICE-S scores come from a file
_FILE = Path(__file__).parents[2] / "assets" / "demo" / "demo.jsonl"
_REGIONS = _FILE.with_name("regions.json")
_GRADIO = "Apache-2.0, from the package gradio"
_PICTURES = (  # (package, folder in it, licence, photographs); names of photographs are unique only within a package
    ("ultralytics", "assets", "AGPL-3.0, from the package ultralytics", ("bus.jpg", "zidane.jpg")),
    ("matplotlib", "mpl-data/sample_data", "public domain, from the package matplotlib", ("grace_hopper.jpg",)),
    ("gradio", "media_assets/images", _GRADIO, ("lion.jpg", "tower.jpg", "cheetah1.jpg")),
    ("sklearn", "datasets/images", "CC BY 2.0, © danielbuechele, from the package scikit-learn", ("china.jpg",)),
    ("sklearn", "datasets/images", "CC BY 2.0, © vultilion, from the package scikit-learn", ("flower.jpg",)),
)
LICENCES = {name: licence for _, _, licence, names in _PICTURES for name in names}  # key: name of the photograph


def ensure_demo(workplace: Workplace) -> None:
    """Make the demo if no data set exists.

    It has the samples whose photographs are installed, or all samples if no photograph is installed.
    """
    samples = workplace.repository.samples
    if samples.datasets():
        return
    with TemporaryDirectory(prefix="capscope-demo-") as folder:
        for path in pictures():
            (Path(folder) / path.name).symlink_to(path)
        file = Path(folder) / _FILE.name
        file.write_text("".join(_lines()), encoding="utf-8")
        import_files(workplace, "jsonl", [file], DATASET, [Path(folder), *(path.parent for path in pictures())])
    annotate(workplace, DATASET, _REGIONS)
    samples.set_notice(DATASET, NOTICE)
    services.create_study(workplace, StudyDesign(STUDY, DATASET, seed=1))
    _add_outcomes(workplace)
    _add_classic_scores(workplace)


def _lines() -> list[str]:
    """Return the samples whose photographs are installed, as lines of JSON; without photographs, all samples."""
    there = {path.name for path in pictures()}
    with _FILE.open(encoding="utf-8") as file:
        lines = list(file)
    return [line for line in lines if json.loads(line)["image"] in there] or lines


def demo_samples(workplace: Workplace) -> Iterator[Sample]:
    """Yield the demo's samples with their regions, in import order."""
    samples = workplace.repository.samples
    return (samples.get(sample_id).sample for sample_id in samples.ids(Search(DATASET)))


def _add_outcomes(workplace: Workplace) -> None:
    samples, recorded = workplace.repository.samples, read_outcomes()
    for sample_id in samples.ids(Search(DATASET)):
        sample = samples.get(sample_id).sample
        workplace.repository.scores.save(sample_id, outcome_on(recorded[sample.key], sample.image))


def _add_classic_scores(workplace: Workplace) -> None:
    """Compute and store the scores of metrics that need only reference captions."""
    repository = workplace.repository
    stored = list(repository.samples.many(repository.samples.ids(Search(DATASET))))
    evaluator, corpora = Evaluator(COMPUTED), Corpora(repository)
    for metric in COMPUTED:
        settings = corpora.settings(metric, DATASET, ModelSettings(explain=True))
        outcomes = evaluator.evaluate(metric.name, [one.sample for one in stored], settings)
        for one, outcome in zip(stored, outcomes, strict=True):
            repository.scores.save(one.id, outcome)


def licence_of(dataset: str, name: str) -> str | None:
    """Return the licence of a data set's picture, or None.

    None: the licence is unknown. Only the licences of the demo's pictures are known.
    """
    return LICENCES.get(name) if dataset == DATASET else None


def pictures() -> list[Path]:
    """Return the demo's photographs that are installed.

    They belong to installed packages, which are not imported.
    """
    paths = []
    for package, folder, _, names in _PICTURES:
        spec = find_spec(package)
        if spec is not None and spec.origin:
            paths += [Path(spec.origin).parent / folder / name for name in names]
    return [path for path in paths if path.is_file()]
