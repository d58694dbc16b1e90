"""Check and read the options of `score`."""

from collections.abc import Sequence
from pathlib import Path

from core.engines.ray_data import Cluster, check_engine
from core.errors import BadSetting
from core.metrics import Metric
from core.models import ModelSettings


def check_sample(kind: type[Metric], image: Path | None, caption: str | None, overlay: Path | None) -> None:
    """Raise BadSetting if a sample lacks the needed caption or picture.

    Missing references raise nothing here. A sample without them later gets an error instead of a score.
    """
    if caption is None or (kind.needs_image and image is None):
        needs = "--image FILE and --caption TEXT" if kind.needs_image else "--caption TEXT and --reference TEXT"
        raise BadSetting(f"{kind.name} needs {needs}, or --dataset NAME.")
    if overlay is not None and image is None:
        raise BadSetting("--overlay draws on a picture, so it needs --image FILE.")


def check_dry_run(dry_run: bool, measure: int | None, dataset: str | None, other: bool) -> None:
    """Raise BadSetting for options that do not fit --dry-run.

    With --dry-run, `score` only prints an estimate.
    """
    if measure is not None and not dry_run:
        raise BadSetting("--measure needs --dry-run.")
    if dry_run and (dataset is None or other):
        raise BadSetting("--dry-run needs --dataset. It does not work with --verify and --engine.")


def cluster_of(engine: str | None, dataset: str | None, wanted: ModelSettings, asked: Cluster) -> Cluster | None:
    """Return the cluster on which to score. Raises BadSetting.

    None: score in this process.
    """
    if engine is None:
        if asked != Cluster():
            raise BadSetting("--address, --workers, --gpus-per-worker and --ship-pictures work only with --engine ray.")
        return None
    if engine != "ray" or dataset is None:
        raise BadSetting("--engine ray scores a data set, so it needs --dataset NAME. There is no other engine.")
    check_engine(wanted)
    return asked


def metric_options(given: Sequence[str], regions: Path | None, trust_weights: bool) -> dict[str, str]:
    own = dict(_name_and_value(text) for text in given)
    return own | ({"regions": str(regions)} if regions else {}) | ({"trust_weights": "yes"} if trust_weights else {})


def sampling_options(samples: int | None, temperature: float | None) -> dict[str, str]:
    """Return the metric's options for sampling several outputs.

    sampling_of checks the options later. samples: number of outputs; None: not given. temperature None: not given.
    """
    given = {"samples": samples, "temperature": temperature}
    return {name: f"{value:g}" for name, value in given.items() if value is not None}


def _name_and_value(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise BadSetting(f"--option must be NAME=VALUE, found {text!r}.")
    return name, value
