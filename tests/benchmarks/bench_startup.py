"""From `python app.py` to the first byte of its first page, beside the smallest Gradio app. Medians, by turns.

Processor time is given beside the time that passes, because on a busy machine only that one repeats.
"""

import statistics
import tempfile
from pathlib import Path

from tests.benchmarks.rows import Row
from tests.benchmarks.serving import Running, bare, ours

RUNS = 3
MOST_RATIO = 1.3


def run() -> list[Row]:
    """Start both where Python may write byte code, as at most desks, and where it may not, as in many containers."""
    return [*_both(byte_code=True), *_both(byte_code=False)]


def _both(byte_code: bool) -> list[Row]:
    """Start both by turns: ours on a new data folder, which makes the demo study, and on one that is there."""
    first: list[Running] = []
    again: list[Running] = []
    theirs: list[Running] = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(RUNS):
            data_dir = Path(folder) / str(number)
            for starts in (first, again):
                with ours(data_dir, byte_code) as server:
                    starts.append(server)
            with bare("bare_app", Path(folder), byte_code=byte_code) as server:
                theirs.append(server)
    where = "" if byte_code else ", byte code not written"
    return [
        *_rows(f"start-up to first byte{where}", again, theirs),
        *_rows(f"first start-up, demo study made{where}", first, theirs),
    ]


def _rows(what: str, starts: list[Running], theirs: list[Running]) -> list[Row]:
    beside = {"other": "bare Gradio app", "most_ratio": MOST_RATIO}
    passed = [statistics.median(start.seconds for start in some) for some in (starts, theirs)]
    busy = [statistics.median(start.processor_s for start in some) for some in (starts, theirs)]
    return [
        Row(what, passed[0], "s", passed[1], **beside),
        Row(f"{what}, processor time", busy[0], "s", busy[1], **beside),
    ]
