"""What the Inspect page says that an edit has changed: its script run by itself, hand-worked."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
DENO = Path(sys.executable).with_name("deno")

pytestmark = pytest.mark.skipif(not DENO.exists(), reason="needs deno")


def called(function: str, *arguments: Any) -> Any:
    """Return what a function of the script returns."""
    script = f"""import * as changes from "{(ROOT / "ui/static/inspect/changes.js").as_uri()}";
    console.log(JSON.stringify(changes.{function}(...{json.dumps(arguments)})));"""
    command = [str(DENO), "run", "--quiet", "--no-config", "-"]
    return json.loads(subprocess.run(command, input=script, capture_output=True, text=True, check=True).stdout)


def test_words_that_stand_in_one_caption_only_are_marked() -> None:
    pieces = called("difference", "A woman waits in the rain.", "A man waits in the rain.")
    assert [(piece["sort"], piece["text"]) for piece in pieces] == [
        ("same", "A "), ("gone", "woman"), ("new", "man"), ("same", " waits in the rain."),
    ]  # fmt: skip


def test_both_captions_can_be_read_off_the_difference() -> None:
    before, after = "A lion rests on a rock with a lioness behind him.", "A dog rests on a rock."
    pieces = called("difference", before, after)
    assert "".join(piece["text"] for piece in pieces if piece["sort"] != "new") == before
    assert "".join(piece["text"] for piece in pieces if piece["sort"] != "gone") == after


def test_phrases_gone_come_and_marked_anew_and_regions_that_turn_are_named() -> None:
    def region(label: str, mentioned: bool, is_full: bool = False) -> dict[str, Any]:
        return {"name": label, "mentioned": mentioned, "is_full": is_full}

    before = {
        "phrases": [{"text": "dog run", "mark": "correct"}, {"text": "dog is brown", "mark": "not judged"}],
        "regions": [region("dog", True), region("cat", False), region("", True, is_full=True)],
    }
    after = {
        "phrases": [{"text": "dog run", "mark": "incorrect"}, {"text": "cat", "mark": "correct"}],
        "regions": [region("dog", False), region("cat", True), region("", False, is_full=True)],
    }
    change = called("changeOf", before, after)
    assert [phrase["text"] for phrase in change["gone"]] == ["dog is brown"]
    assert [phrase["text"] for phrase in change["come"]] == ["dog run", "cat"]
    assert (change["leftOut"], change["mentioned"]) == (["dog"], ["cat"])
