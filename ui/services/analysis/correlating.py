"""Agreement of metrics with human judgement as a DataFrame: `capscope.agreement`."""

import os
from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from ui.services.analysis import found_in
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked
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
    options = {"rule": benchmark, "against": "all", "parts": ",".join(components)}
    workplace = open_workplace(settings)
    try:
        found = found_in(Analyst(workplace), "agreement", Asked((dataset,), tuple(metrics), slice, options))
        return pd.DataFrame(records(found.tables[0]))
    finally:
        workplace.repository.close()
