"""What `make quick` leaves out: browsers, networks, PostgreSQL, and whatever took long when all tests were last timed.

`make slow` times them and writes the list. It holds tests by name, so that a new one is quick until it is timed.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LIST = TESTS / "slow.txt"
LONG_S = 0.1  # of all cases of a test together, with what they need set up
ROOMS = ("tests/browser/", "tests/core/models/", "tests/core/training/")


@cache
def listed() -> frozenset[str]:
    """Return the names of tests that took long."""
    return frozenset(LIST.read_text().splitlines())


def is_slow(item: pytest.Item) -> bool:
    """Whether a test is one that `make quick` leaves out."""
    if item.nodeid.startswith(ROOMS) or "[postgresql" in item.nodeid:
        return True
    return "postgres" in getattr(item, "fixturenames", ()) or name_of(item.nodeid) in listed()


def name_of(nodeid: str) -> str:
    """Return the name of a test without its case."""
    return nodeid.partition("[")[0]


class Stopwatch:
    """A plugin of pytest that times tests, wherever they run."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add what one part of a test took."""
        if "[postgresql" not in report.nodeid:
            self.seconds[name_of(report.nodeid)] += report.duration

    def long(self) -> Iterable[str]:
        """Return the tests that took long, by name."""
        return sorted(name for name, seconds in self.seconds.items() if seconds >= LONG_S)


def main() -> int:
    """Time all tests but those that are left out anyway, and write the list."""
    watch = Stopwatch()
    left_out = [f"--ignore={room}" for room in ROOMS]
    failed = pytest.main(
        ["-n2", "--dist=loadfile", "--no-loadscope-reorder", "-m", "not scale", *left_out, str(TESTS)], plugins=[watch]
    )
    if not failed:
        LIST.write_text("".join(f"{name}\n" for name in watch.long()))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
