"""Four forms on real data, each rated by keys in Chromium by two raters, reported, bundled, and reported elsewhere.

A bundle must give the report of the data folder it came from, byte for byte: read as a file, taken into an empty data
folder, and taken into a PostgreSQL. The times are those of a rater who knows every answer: keys and waiting alone.
"""

import contextlib
import io
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

from app import main
from tests.benchmarks.rows import NotHere, Row, percentile
from tests.benchmarks.serving import ROOT, ours
from tests.chromium import CHROMIUM, QUIET
from tests.postgresql import programs, running

SHARED = ROOT.parent / "shared" / "data"
ITEMS, RATERS, SEED = 8, 2, 3
RIGHT_S, WRONG_S, KEY_MS = 2.0, 10.0, 50.0
POINTS = {"hice-human-evaluation": (4, 4), "thumb": (5, 5), "pairwise-captions": (3,)}  # a question each
DATA_OF = {"hice-human-evaluation": "coco", "thumb": "systems", "pairwise-captions": "coco", "evidence": "published"}
WRONG = 0.3  # of the sentences

# Resolves with the time from the next key to the second frame after another sentence is the one that is asked about.
_STOPWATCH = """() => {
  const here = () => document.querySelector(".sentence[aria-current=step]");
  const before = here();
  window.moved = new Promise((resolve) => {
    addEventListener("keydown", (event) => {
      const frame = () => new Promise(requestAnimationFrame);
      const look = async () => {
        if (here() === before) return;
        observer.disconnect();
        await frame();
        await frame();
        resolve(performance.now() - event.timeStamp);
      };
      const observer = new MutationObserver(look);
      observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    }, { capture: true, once: true });
  });
}"""


@dataclass
class Times:
    """What a rater's evidence took."""

    key_ms: list[float] = field(default_factory=list)  # from a key to the next sentence painted
    right_s: list[float] = field(default_factory=list)
    wrong_s: list[float] = field(default_factory=list)


def run() -> list[Row]:
    """Rate, report, bundle, and compare."""
    if not SHARED.exists():
        raise NotHere("needs the real captions of ../shared/data")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder, times = Path(name), Times()
        data = folder / "data"
        _make(folder, data)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        with ours(data) as server:
            for study, form in enumerate(DATA_OF, start=1):
                for rater in range(RATERS):
                    context = browser.new_context()
                    page = context.new_page()
                    _rate(page, f"{server.url}/rate?study={study}", form, rater, times)
                    context.close()
        browser.close()
        same = {form: _same_everywhere(folder, data, form) for form in DATA_OF}
    return [*_rows(times), *(_compared(form, *found) for form, found in same.items())]


def _make(folder: Path, data: Path) -> None:
    """Import the data sets, and draw a study of each form."""
    systems = folder / "systems.jsonl"
    told = json.loads((SHARED / "coco" / "thumb_joined.json").read_text())
    rows = [{"id": n, "image": f"{one['coco_image_id']:012}.jpg", "caption": one["hyp"]} for n, one in enumerate(told)]
    systems.write_text("\n".join(json.dumps({**row, "id": str(row["id"])}) for row in rows))
    coco = SHARED / "coco"
    pictures = ("--images", coco / "images", "--regions", coco / "instances_subset.json")
    _command(data, "import", "coco-captions", coco / "captions_subset.json", "--dataset", "coco", *pictures)
    _command(data, "import", "jsonl", systems, "--dataset", "systems", *pictures)
    published = SHARED / "published" / "explanations.jsonl"
    _command(data, "import", "jsonl", published, "--dataset", "published", "--outside", *pictures[2:])
    for form, dataset in DATA_OF.items():
        size = ("--size", ITEMS, "--seed", SEED)
        _command(data, "study", "create", form, "--form", form, "--dataset", dataset, *size)


def _command(data: Path, *arguments: object, database: str = "") -> str:
    """Run a command of the app; returns what it printed."""
    out, environ = io.StringIO(), {"CAPSCOPE_DATA": str(data)}
    environ |= {"CAPSCOPE_DATABASE": database} if database else {}
    with contextlib.redirect_stdout(out):
        code = main([str(argument) for argument in arguments], environ)
    assert code == 0, out.getvalue()
    return out.getvalue()


def _rate(page: Page, url: str, form: str, rater: int, times: Times) -> None:
    """Rate every item of a study, by keys."""
    random = np.random.default_rng([SEED, rater])
    page.set_default_timeout(120_000)
    page.goto(url)
    page.get_by_label("Your code").fill(f"{form[:4]}{rater + 1}")
    page.get_by_role("button", name="Start").click()
    for item in range(1, ITEMS + 1):
        page.locator(f"section.rate[aria-label='Item {item}']").wait_for()
        if form == "evidence":
            _give_evidence(page, random, times)
        else:
            for points in POINTS[form]:
                page.keyboard.press(str(random.integers(1, points + 1)))
        page.get_by_role("status").filter(has_text="Saved").wait_for()
        page.keyboard.press("Enter")
    page.get_by_role("heading", name="Thank you").wait_for()


def _give_evidence(page: Page, random: np.random.Generator, times: Times) -> None:
    """Judge the sentences of one explanation; of a wrong one say words, kind, place and how bad it is."""
    sentences = page.locator(".sentence").count()
    for place in range(sentences):
        wrong, last = random.random() < WRONG, place + 1 == sentences
        start = page.evaluate("performance.now()")
        if wrong:
            marked = ["2", "w", *["ArrowRight"] * int(random.integers(4)), "Shift+ArrowRight", "Enter"]
            for key in [*marked, str(random.integers(1, 7)), ("n", "r")[int(random.integers(2))]]:
                page.keyboard.press(key)
        if not last:
            page.evaluate(_STOPWATCH)
        page.keyboard.press(str(random.integers(1, 3)) if wrong else "1")
        if not last:
            times.key_ms.append(page.evaluate("window.moved"))
            (times.wrong_s if wrong else times.right_s).append((page.evaluate("performance.now()") - start) / 1000)
    if random.random() < WRONG:
        page.keyboard.press("t")


def _same_everywhere(folder: Path, data: Path, form: str) -> tuple[int, bool, Sequence[str]]:
    """Return the report's size in bytes, whether it is the same everywhere, and where it was compared."""
    bundle, empty = folder / f"{form}.zip", folder / f"empty {form}"
    _command(data, "study", "bundle", form, "--to", bundle)
    wanted = _reports(folder, data, form)
    found = {"the bundle": _reports(folder, empty, bundle)}
    _command(empty, "import", "bundle", bundle)
    found["an empty folder"] = _reports(folder, empty, form)
    if (installed := programs()) is not None:
        with running(installed) as server:
            database = server.url("postgres")
            team = folder / f"team {form}"
            _command(team, "import", "bundle", bundle, database=database)
            found["PostgreSQL"] = _reports(folder, team, form, database)
    return sum(map(len, wanted)), all(each == wanted for each in found.values()), tuple(found)


def _reports(folder: Path, data: Path, what: object, database: str = "") -> tuple[bytes, bytes, bytes]:
    """Return a report as text, as JSON and as a page."""
    page = folder / "report.html"
    texts = [_command(data, "report", what, *more, database=database).encode() for more in ((), ("--json",))]
    _command(data, "report", what, "--to", page, database=database)
    return texts[0], texts[1], page.read_bytes()


def _rows(times: Times) -> list[Row]:
    def row(what: str, values: Sequence[float], unit: str, most: float) -> Row:
        return Row(f"{what}, {len(values)} sentences, p95", percentile(values, 95), unit, most=most)

    return [
        row("evidence, key to next sentence painted", times.key_ms, "ms", KEY_MS),
        row("evidence, a sentence that is right: keys and waiting", times.right_s, "s", RIGHT_S),
        row("evidence, a sentence that is wrong: keys and waiting", times.wrong_s, "s", WRONG_S),
    ]


def _compared(form: str, size: int, same: bool, where: Sequence[str]) -> Row:
    what = f"{form}: report of {ITEMS} items and {RATERS} raters, text, JSON and page"
    return Row(what, size / 1000, "kB", holds=same, note=f"{'equal' if same else 'OTHER'} from {', '.join(where)}")
