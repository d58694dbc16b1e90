"""Joining modules: a joined script does what the modules do; forms that are not understood are refused by name."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ui.web.files.bundles import Bundle, NotLinkable, read_module
from ui.web.files.static_files import STATIC, StaticFiles

DENO = Path(sys.executable).parent / "deno"  # comes with the development requirements


def run(script: str, folder: Path) -> str:
    (folder / "run.js").write_text(script)
    command = [DENO, "run", "--quiet", "--no-config", "--allow-read", "--no-check", "run.js"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env={"NO_COLOR": "1", "HOME": str(folder)}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_of_the_app_exports_from_a_bundle_what_it_exports_by_itself(tmp_path: Path) -> None:
    """A joined script of every module is read by deno, and modules that need no page are run in both forms."""
    files = StaticFiles.read()
    every = tuple(name for name in files.contents if name.endswith(".js"))
    bundle = Bundle("every", (), every)
    joined = bundle.made_of(files)[bundle.script].decode()
    assert len(joined) < 0.8 * sum(len(files.text(name)) for name in every)  # without most comments
    (tmp_path / "every.js").write_text(f"{joined}export {{ $modules, $take }};")
    script = f"""\
const {{ $modules, $take }} = await import("./every.js");
const seen = {{ same: [], other: [], needsPage: [] }};
for (const name of Object.keys($modules)) {{
  let own;
  try {{
    own = Object.keys(await import("{STATIC.as_uri()}/" + name)).sort().join();
  }} catch {{
    seen.needsPage.push(name);
    continue;
  }}
  const exported = Object.keys($take(name)).sort().join();
  (own === exported ? seen.same : seen.other).push(name);
}}
console.log(JSON.stringify(seen));
"""
    seen = json.loads(run(script, tmp_path))
    starts = {
        "capscope.js",
        "plain_pages/colours.js",
        "recorded/start.js",
        "shared/loading_timer.js",
        "studies/manager.js",
    }
    assert set(seen["needsPage"]) == starts
    assert seen["other"] == [] and {*seen["same"], *seen["needsPage"]} == set(every)


def test_modules_that_cannot_be_joined_are_refused_by_name() -> None:
    for line in ('import "./b.js";', 'import * as all from "./b.js";', "export default 1;", "export let a = 1;"):
        with pytest.raises(NotLinkable, match=r"rate/odd\.js: the linker does not support this statement: "):
            read_module("rate/odd.js", f"// A comment.\n{line}\n")
