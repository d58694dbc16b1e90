"""Make the picture of the reproduction board: published results beside results computed from real data.

Run it with `make board`. It needs the data that the tests read, in ../shared.
"""

import gzip
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "assets" / "pictures" / "board.png"
SHARED = ROOT.parent / "shared"
CLASSIC = ("BLEU-1", "BLEU-4", "ROUGE-L", "CIDEr")
FLAGS = ["--no-sandbox", "--disable-gpu"]
WIDTH = 1180  # CSS pixels
SHOWN = 7  # number of columns in the picture of the board; the other columns (recipes, notes) are too wide


def commands(shared: Path, folder: Path, metrics: Sequence[str] = CLASSIC) -> Iterator[tuple[str, ...]]:
    """Yield the commands that add the board's data: judgements, published scores, and classic metrics.

    folder: receives the unpacked files.
    """
    data = shared / "data"
    expert, pascal = data / "flickr8k", unpacked(data / "benchmarks" / "pascal_50s.json.gz", folder)
    yield "import", "flickr8k-expert", str(expert / "flickr8k.json"), "--dataset", "flickr8k-expert"
    fleur = str(expert / "fleur_flickr8k_expert.txt")
    yield "import", "fleur-results", fleur, "--dataset", "flickr8k-expert"
    yield "import", "nebula", str(data / "expert" / "nebula_test.json"), "--dataset", "nebula"
    yield "import", "pascal50s", str(pascal), "--dataset", "pascal50s"
    for category in ("HC", "HI", "HM", "MM"):
        scores = unpacked(data / "benchmarks" / f"fleur_pascal_{category}.txt.gz", folder)
        yield "import", "fleur-results", str(scores), "--dataset", "pascal50s"
    for dataset in ("flickr8k-expert", "nebula", "pascal50s"):
        for metric in metrics:
            yield "score", metric, "--dataset", dataset


def unpacked(file: Path, folder: Path) -> Path:
    """Unpack a gzip file into a folder. Return the unpacked file's path."""
    found = folder / file.stem
    found.write_bytes(gzip.decompress(file.read_bytes()))
    return found


def main() -> None:
    """Add the board's data to a new data folder. Save a picture of the board."""
    if not SHARED.exists():
        sys.exit("The board's data are in ../shared, which is not here.")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = os.environ | {"CAPSCOPE_DATA": str(folder / "data")}
        (folder / "data").mkdir(mode=0o700)
        for command in (*commands(SHARED, folder), ("reproduce", "--to", str(folder / "board.html"))):
            subprocess.run([sys.executable, "app.py", *command], cwd=ROOT, env=environment, check=True)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
            page = browser.new_page(viewport={"width": WIDTH, "height": 800}, color_scheme="light")
            page.goto((folder / "board.html").as_uri())
            page.add_style_tag(content=f"td:nth-child(n+{SHOWN + 1}),th:nth-child(n+{SHOWN + 1}){{display:none}}")
            page.evaluate(
                "() => document.querySelectorAll('h2').forEach((head) => {"
                " if (head.textContent.includes('without data')) { head.nextElementSibling.remove(); head.remove(); }"
                "})"
            )
            page.screenshot(path=PICTURE, full_page=True)
            browser.close()


if __name__ == "__main__":
    main()
