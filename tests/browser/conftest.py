"""A real server in a process of its own, and a real Chromium."""

import os
import re
import shutil
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from storage.study_types import Study
from tests.browser.warm import warm
from tests.chromium import CHROMIUM, QUIET, WITHOUT_WEBGL
from tests.making import make_study as made_study
from tests.making import picture, rows, write_rows
from tests.wait_until import PATIENCE_S, wait_until
from ui.services.importing.importing import import_files
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
SLOW_MS = 1000 * PATIENCE_S  # for what takes a while on any: models that load, statistics of a whole data set

expect.set_options(timeout=60_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this folder drives a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Use Debian's Chromium."""
    if not Path(CHROMIUM).exists():
        pytest.skip("needs Chromium: install Debian's package chromium")
    arguments = [*QUIET, *WITHOUT_WEBGL]
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": arguments}


def held_port() -> socket.socket:
    """Take a port that nobody is given by chance, until the socket is closed; who knows it may listen on it."""
    held = socket.socket()
    held.bind(("127.0.0.1", 0))
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as servers do; who looks for a free port does not
    return held


class Server:
    """`python app.py` on a port of its own; can be killed and started again on the same data."""

    def __init__(self, data_dir: Path, **environ: str) -> None:
        self.data_dir, self.environ = data_dir, environ
        self._held = held_port()
        self.port: int = self._held.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.process: psutil.Process | None = None

    def start(self, cold: bool = False) -> None:
        """Start it and wait until it answers. cold: as people do, which takes long; else see tests.browser.warm."""
        arguments = ["--port", str(self.port), "--data-dir", str(self.data_dir)]
        log = self.data_dir / "server.log"
        self.process = _cold(arguments, log) if cold else psutil.Process(warm().fork(arguments, log, self.environ))
        transport = httpx.HTTPTransport(retries=0)
        with httpx.Client(transport=transport) as client:
            wait_until(lambda: self._answers(client), "the server to answer")

    def _answers(self, client: httpx.Client) -> bool:
        assert self.process is not None and self.process.is_running(), (self.data_dir / "server.log").read_text()
        try:
            return client.get(f"{self.url}/healthz", timeout=5).is_success
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """End the server as a power cut would."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.is_running():
            self.process.terminate()
            self.process.wait()
        self._held.close()


def _cold(arguments: list[str], log: Path) -> psutil.Popen:
    with log.open("ab") as written:
        return psutil.Popen(
            [sys.executable, "app.py", *arguments],
            cwd=ROOT,
            env={**os.environ, "CAPSCOPE_WARM": "0"},
            stdout=written,
            stderr=written,
        )


def write_samples(folder: Path, count: int) -> Path:
    """Write a data set that nobody has judged: pictures, and explained scores of three metrics. Returns its file."""
    samples = [row | {"human": None, "judgements": []} for row in rows(count, ("FLEUR", "EXPERT", "CLAIR"))]
    for number, sample in enumerate(samples):
        picture(folder / sample["image"], f"#{number * 9973 % 0xFFFFFF:06x}", (400, 300))
    return write_rows(folder, samples)


@pytest.fixture(scope="session")
def squares(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the data set squares; to be copied."""
    folder = tmp_path_factory.mktemp("squares")
    workplace = open_workplace(Settings(data_dir=folder / "data"))
    import_files(workplace, "jsonl", [write_samples(folder / "files", 12)], "squares")
    workplace.repository.close()
    return folder / "data"


@contextmanager
def serving(to: Path, copied: Path | None = None, **environ: str) -> Iterator[Server]:
    """Start a server on an empty data folder, or on a copy of one; it ends with the block.

    environ: variables; "URL" as a value is the server's address.
    """
    shutil.copytree(copied, to) if copied else to.mkdir()
    running = Server(to, **environ)
    running.environ |= {name: running.url for name, value in environ.items() if value == "URL"}
    running.start()
    try:
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module")
def server(squares: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that the tests of a file share; each makes studies of its own.

    Other files have theirs: a page of studies takes the longer, the more there are.
    """
    with serving(tmp_path_factory.mktemp("server") / "data", squares) as running:
        yield running


@pytest.fixture
def own_server(squares: Path, tmp_path: Path) -> Iterator[Server]:
    """A server for one test, which may kill it."""
    with serving(tmp_path / "data", squares) as running:
        yield running


def with_workplace(server: Server, use: Callable[[Workplace], Any]) -> Any:
    """Work on the server's data folder from this process, as the command line does."""
    workplace = open_workplace(Settings(data_dir=server.data_dir))
    try:
        return use(workplace)
    finally:
        workplace.repository.close()


def make_study(server: Server, name: str, dataset: str = "squares", **options: Any) -> Study:
    study: Study = with_workplace(server, lambda w: made_study(w, name, **{"dataset": dataset, "seed": 5, **options}))
    return study


def ratings(server: Server, study: Study) -> list[Any]:
    """Return what the server has stored of a study."""
    found: list[Any] = with_workplace(server, lambda w: list(w.repository.studies.records(study.id)))
    return found


FOCUS_IS_THERE = "() => document.querySelector('section.rate')?.contains(document.activeElement)"


def enter(page: Page, server: Server, study: Study, code: str) -> None:
    """Open a study for the first time and start."""
    page.goto(f"{server.url}/rate?study={study.id}")
    page.get_by_label("Your code").fill(code)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name="Next")).to_be_visible()
    page.wait_for_function(FOCUS_IS_THERE)  # it comes once the item is painted


def radio(page: Page, group: str, point: int) -> Locator:
    """Return the answer of the question with that accessible name; the answer's own goes on with what it means."""
    question = page.get_by_role("group", name=group, exact=True)
    return question.get_by_role("radio", name=re.compile(rf"^{point}\b"))


PICTURE_IS_THERE = """() => !document.querySelector(".picture .notice")?.textContent.includes("Loading the picture")
    && [...document.querySelectorAll(".picture img")].every((image) => image.complete)"""


def rate_by_keys(page: Page, keys: str) -> None:
    """Press keys as somebody does who waits for a picture that is on its way."""
    for key in keys:
        page.wait_for_function(PICTURE_IS_THERE)
        page.keyboard.press("Enter" if key == "\n" else key)


def saved(page: Page) -> None:
    """Wait until the page says that all is saved."""
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()


@pytest.fixture(scope="session")
def drawing_browser(launch_browser: Callable[..., Browser]) -> Iterator[Browser]:
    """A browser with WebGL, which draws many points."""
    browser = launch_browser(args=[*QUIET])
    yield browser
    browser.close()


@pytest.fixture
def profile(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """A function that makes a browser profile, with options of Browser.new_context. Analyse's draw with WebGL."""
    used = request.getfixturevalue("drawing_browser") if request.path.name.startswith("test_analyse") else browser
    with ExitStack() as made:

        def make(**options: Any) -> BrowserContext:
            context: BrowserContext = used.new_context(**options)
            made.callback(context.close)
            context.set_default_timeout(60_000)  # a busy machine takes a while
            return context

        yield make


def framed(page: Page) -> None:
    """Wait until Gradio has drawn its frame above the page, which asks the server for its own parts."""
    expect(page.locator("html:not(.ahead) gradio-app .capscope-place")).to_have_count(1)


@pytest.fixture
def context(profile: Callable[..., BrowserContext], browser_context_args: dict[str, Any]) -> BrowserContext:
    """The profile of `page`."""
    return profile(**browser_context_args)


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A page that must not throw, or talk to another host."""
    problems: list[str] = []
    opened = context.new_page()
    opened.on("pageerror", lambda error: problems.append(f"thrown: {error}"))
    opened.on("request", lambda r: problems.append(f"foreign: {r.url}") if is_foreign(r.url) else None)
    yield opened
    assert not problems, problems


@pytest.fixture
def other(profile: Callable[..., BrowserContext]) -> Page:
    """A page of another person's browser."""
    return profile().new_page()


@pytest.fixture
def phone(profile: Callable[..., BrowserContext]) -> Page:
    """A page that is small and touched."""
    return profile(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True).new_page()


def is_foreign(url: str) -> bool:
    return not url.startswith(("http://127.0.0.1:", "data:", "blob:", "about:"))


@pytest.fixture(autouse=True)
def no_proxy() -> None:
    """Requests to this machine never go through a proxy."""
    os.environ["NO_PROXY"] = "127.0.0.1,localhost"
