"""Real data, imported once for all who look at them. No test lives here."""

import io
import json
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from app import main
from tests.once import made_once


def run(data_dir: Path, *arguments: str) -> Any:
    """Run a command on a data folder; returns what it prints, as JSON where that is asked for."""
    with redirect_stdout(io.StringIO()) as out:
        assert main([*arguments, "--data-dir", str(data_dir)], {}) == 0
    return json.loads(out.getvalue()) if "--json" in arguments else out.getvalue()


def real_folder(factory: pytest.TempPathFactory, shared_dir: Path) -> Path:
    """Return a data folder with the published explanations, Polaris-exp and Flickr8k-Expert with FLEUR's scores.

    It is to be copied.
    """
    data, flickr = shared_dir / "data", shared_dir / "data" / "flickr8k"

    def fill(folder: Path) -> None:
        explanations = str(data / "published" / "explanations.jsonl")
        run(folder, "import", "jsonl", explanations, "--dataset", "published", "--images", str(data))
        polaris = run(folder, "import", "polaris-exp", str(data / "expert" / "polaris_exp_val.json"), "--json")
        assert (polaris["samples"], polaris["scores"]) == (4237, 4237)
        judged = ("flickr8k-expert", str(flickr / "flickr8k.json"), "--dataset", "flickr8k-expert")
        folders = ("--images", str(flickr / "images"), "--images", str(flickr / "images_224"))
        pairs = run(folder, "import", *judged, *folders, "--json")
        assert (pairs["samples"], pairs["images_found"], pairs["images_missing"]) == (5664, 1000, 0)
        scores = ("fleur-results", str(flickr / "fleur_flickr8k_expert.txt"), "--dataset", "flickr8k-expert")
        attached = run(folder, "import", *scores, "--json")
        assert (attached["scores"], attached["samples_added"], attached["images_missing"]) == (5664, 0, 0)

    return made_once(factory, "real", fill)
