import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


# A command whose libraries print to standard output in every way there is.
NOISY = """
import logging, os, subprocess, sys
import typer
from ui.commands.options import AsJson, print_json

cli = typer.Typer()
handler = logging.StreamHandler(sys.stdout)

@cli.command()
def run(fail: bool = False, as_json: AsJson = False) -> None:
    print("printed")
    handler.handle(logging.LogRecord("library", logging.INFO, "", 0, "logged", None, None))
    os.write(1, b"written ")
    subprocess.run([sys.executable, "-S", "-c", "print('child')"], check=True)
    if fail:
        raise typer.Exit(3)
    print_json({"caption": "caf\\u00e9"})

code = cli(args=sys.argv[1:], standalone_mode=False)
print("afterwards")
sys.exit(code)
"""


def noisy(*arguments: str) -> tuple[int, str, str]:
    ran = subprocess.run([sys.executable, "-c", NOISY, *arguments], cwd=ROOT, capture_output=True, encoding="utf-8")
    return ran.returncode, ran.stdout, ran.stderr


def test_nothing_but_json_is_on_standard_output_whatever_libraries_print() -> None:
    code, out, err = noisy("--json")
    assert (code, json.loads(out.removesuffix("afterwards\n"))) == (0, {"caption": "caf\u00e9"})
    assert sorted(err.split()) == ["child", "logged", "printed", "written"]


def test_a_command_that_fails_leaves_standard_output_as_it_was() -> None:
    assert noisy("--fail", "--json")[:2] == (3, "afterwards\n")


def test_without_the_option_everything_is_where_it_was() -> None:
    code, out, err = noisy()
    assert (code, err) == (0, "")
    assert {"printed", "logged", "written", "afterwards"} <= set(out.split())


LOADS_MOBILE_SAM = """
import os, socket, sys

asked = []
real = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **options: asked.append(host) or real(host, *rest, **options)
import huggingface_hub.constants  # as Gradio does before any model loads

from core.models.sam.detector import prepare_ultralytics

prepare_ultralytics()
from ultralytics.models.sam.build import build_mobile_sam
from ultralytics.nn.tasks import SegmentationModel

SegmentationModel("yolov8n-seg.yaml", nc=1, verbose=False)
assert not asked, asked
assert huggingface_hub.constants.HF_HUB_DISABLE_TELEMETRY
assert not os.path.exists(os.environ["YOLO_CONFIG_DIR"])
"""


def test_ultralytics_says_nothing_writes_nothing_and_looks_up_no_host(tmp_path: Path) -> None:
    here = {name: value for name, value in os.environ.items() if not name.startswith(("YOLO_", "HF_", "XDG_"))}
    ran = subprocess.run(
        [sys.executable, "-c", LOADS_MOBILE_SAM],
        cwd=ROOT,
        env=here | {"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stdout) == (0, ""), ran.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
