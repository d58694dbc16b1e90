"""What `make quick` leaves out: browsers, networks, PostgreSQL, and whatever took long when all tests were last timed.

`make slow` times them and writes the list. It holds tests by name, so that a new one is quick until it is timed. The
list also holds fixtures of one file that took long to set up. Every test that uses such a fixture is slow, because
otherwise the setup would only move to the next test of the file.
"""

import sys
import time
from collections import defaultdict
from collections.abc import Generator, Iterable
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LIST = TESTS / "slow.txt"
LONG_S = 0.1  # of all cases of a test together, with what they need set up
SIDE_BY_SIDE = ("-n2", "--dist=loadfile", "--no-loadscope-reorder")
ROOMS = ("tests/browser/", "tests/core/models/", "tests/core/training/")


@cache
def listed() -> frozenset[str]:
    """Return the names of tests and fixtures that took long."""
    return frozenset(LIST.read_text().splitlines())


def is_slow(item: pytest.Item) -> bool:
    """Whether a test is one that `make quick` leaves out."""
    if item.nodeid.startswith(ROOMS) or "[postgresql" in item.nodeid:
        return True
    fixtures = getattr(item, "fixturenames", ())
    names = {name_of(item.nodeid), *(fixture_name(item.nodeid, fixture) for fixture in fixtures)}
    return "postgres" in fixtures or not names.isdisjoint(listed())


def name_of(nodeid: str) -> str:
    """Return the name of a test without its case."""
    return nodeid.partition("[")[0]


def fixture_name(nodeid: str, fixture: str) -> str:
    """Return the name under which the list holds a fixture of a test's file."""
    return f"{nodeid.partition('::')[0]}::fixture {fixture}"


SETUPS = pytest.StashKey[dict[str, float]]()


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest) -> Generator[None]:
    """Time the fixtures that the tests of one file share. Runs in each process, while `make slow` does."""
    start = time.perf_counter()
    made = yield
    if fixturedef.scope == "module":
        request.config.stash.setdefault(SETUPS, {})[fixturedef.argname] = time.perf_counter() - start
    return made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Send the fixtures' times with the report of the test that set them up."""
    report = yield
    for fixture, seconds in item.config.stash.get(SETUPS, {}).items():
        report.user_properties.append((fixture_name(item.nodeid, fixture), seconds))
    item.config.stash[SETUPS] = {}
    return report


class Stopwatch:
    """A plugin of pytest that times tests and their files' fixtures, wherever they run."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add what one part of a test took."""
        if "[postgresql" in report.nodeid:
            return
        self.seconds[name_of(report.nodeid)] += report.duration
        if report.when == "setup":
            self.seconds.update((name, float(str(seconds))) for name, seconds in report.user_properties)

    def long(self) -> Iterable[str]:
        """Return the tests and fixtures that took long, by name."""
        return sorted(name for name, seconds in self.seconds.items() if seconds >= LONG_S)


def main() -> int:
    """Time all tests but those that are left out anyway, and write the list of slow tests and fixtures."""
    watch = Stopwatch()
    left_out = [f"--ignore={room}" for room in ROOMS]
    failed = pytest.main(
        ["-p", "tests.slow", *SIDE_BY_SIDE, "-m", "not scale", *left_out, *(sys.argv[1:] or [str(TESTS)])],
        plugins=[watch],
    )
    if not failed:
        LIST.write_text("".join(f"{name}\n" for name in watch.long()))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
