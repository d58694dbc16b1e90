import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


# A command whose libraries print to standard output in every way there is, run by a fork for each of several lines.
NOISY = """
import json, logging, os, subprocess, sys
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
    print_json({"caption": "caf\u00e9"})

for folder, arguments in json.loads(sys.argv[1]).items():
    pid = os.fork()
    if pid == 0:
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(f"{folder}/{name}", os.O_WRONLY | os.O_CREAT), number)
        code = cli(args=arguments, standalone_mode=False)
        print("afterwards")
        sys.exit(code)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


def test_nothing_but_json_is_on_standard_output_whatever_libraries_print(tmp_path: Path) -> None:
    called = {"plain": [], "json": ["--json"], "fails": ["--fail", "--json"]}
    for name in called:
        (tmp_path / name).mkdir()
    asked = json.dumps({str(tmp_path / name): arguments for name, arguments in called.items()})
    ran = subprocess.run([sys.executable, "-c", NOISY, asked], cwd=ROOT, check=True, capture_output=True, text=True)
    assert ran.stdout.split() == ["0", "0", "3"]
    out, err = (
        {name: (tmp_path / name / stream).read_text(encoding="utf-8") for name in called} for stream in ("out", "err")
    )
    assert json.loads(out["json"].removesuffix("afterwards\n")) == {"caption": "caf\u00e9"}
    assert sorted(err["json"].split()) == ["child", "logged", "printed", "written"]
    assert out["fails"] == "afterwards\n"  # a command that fails leaves standard output as it was
    assert err["plain"] == ""  # without the option everything is where it was
    assert {"printed", "logged", "written", "afterwards"} <= set(out["plain"].split())


LOADS_MOBILE_SAM = """
import os, socket, sys

asked = []
real = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **options: asked.append(host) or real(host, *rest, **options)
import huggingface_hub.constants  # as Gradio does before any model loads

from core.models.mobile_sam import prepare_ultralytics

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
