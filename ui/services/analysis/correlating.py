"""Agreement of metrics with human judgement as `correlate` prints it and `capscope.agreement` returns it."""

import os
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from ui.services.analysis import found_in
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Found
from ui.services.tables import records
from ui.services.workplace import open_workplace
from ui.settings import Settings


def agreement(
    dataset: str,
    metrics: Sequence[str] = (),
    *,
    components: Sequence[str] = (),
    slice: str | None = None,
    benchmark: str = "",
    data_dir: str | Path | None = None,
) -> pd.DataFrame:
    """Return how well metrics agree with people, times 100: the first table of `correlate --dataset … --json`.

    metrics: names of metrics; (): all. components: components of the scores, such as "precision". slice: a saved
    filter. benchmark: the benchmark whose rule applies; "": the data set's own. data_dir: the data folder; None:
    CAPSCOPE_DATA or the default folder. Raises NotFound, BadSetting.
    """
    settings = Settings.from_env(os.environ).with_options(data_dir=None if data_dir is None else Path(data_dir))
    workplace = open_workplace(settings)
    try:
        found = of_datasets(Analyst(workplace), (dataset,), metrics, components, slice, benchmark)
        return pd.DataFrame(records(found.tables[0]))
    finally:
        workplace.repository.close()


def of_datasets(
    analyst: Analyst,
    datasets: Sequence[str],
    metrics: Sequence[str] = (),
    components: Sequence[str] = (),
    slice_name: str | None = None,
    benchmark: str = "",
) -> Found:
    """Correlate the scores of one data set or several. Several give one table. Raises NotFound, BadSetting."""
    options = {"rule": benchmark, "against": "all", "parts": ",".join(components)}
    asked = Asked(tuple(datasets), tuple(metrics), slice_name, options)
    return found_in(analyst, "several" if len(datasets) > 1 else "agreement", asked)
