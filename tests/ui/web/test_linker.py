"""Joining modules: a joined script does what the modules do; forms that are not understood are refused by name."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ui.web.files.linker import NotLinkable, link_later, modules_of, read_module
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
    every = modules_of(files, *(name for name in files.contents if name.endswith(".js")))
    (tmp_path / "every.js").write_bytes(link_later(files, every))
    script = f"""\
const {{ modules }} = await import("./every.js");
const made = {{}}, all = modules((name) => made[name] ??= all[name](), () => {{}});
const seen = {{ same: [], other: [], needsPage: [] }};
for (const name of Object.keys(all)) {{
  let own;
  try {{
    own = Object.keys(await import("{STATIC.as_uri()}/" + name)).sort().join();
  }} catch {{
    seen.needsPage.push(name);
    continue;
  }}
  const exported = Object.keys(made[name] ??= all[name]()).sort().join();
  (own === exported ? seen.same : seen.other).push(name);
}}
console.log(JSON.stringify(seen));
"""
    seen = json.loads(run(script, tmp_path))
    starts = {
        "capscope.js",
        "plain_pages/colours.js",
        "plain_pages/retrying.js",
        "recorded/start.js",
        "shared/loading_timer.js",
        "studies/manager.js",
    }
    assert set(seen["needsPage"]) == starts
    assert seen["other"] == [] and {*seen["same"], *seen["needsPage"]} == set(every)


def test_a_comment_at_the_end_of_a_line_is_left_out_of_a_bundle_and_a_text_is_not() -> None:
    for line, kept in (
        ("count += 1; // because of x", "count += 1;"),
        ('say("a // b"); // so', 'say("a // b");'),
        ('say("it\'s // so");', 'say("it\'s // so");'),
        ("const text = `a // b", "const text = `a // b"),
    ):
        assert read_module("rate/line.js", f"{line}\nend();\n").text.splitlines()[1] == kept


def test_modules_that_cannot_be_joined_are_refused_by_name() -> None:
    for line in ('import "./b.js";', 'import * as all from "./b.js";', "export default 1;", "export let a = 1;"):
        with pytest.raises(NotLinkable, match=r"rate/odd\.js: the linker does not support this statement: "):
            read_module("rate/odd.js", f"// A comment.\n{line}\n")
    files = StaticFiles({"a.js": b'import { b } from "./b.js";\n', "b.js": b'import { a } from "./a.js";\n'})
    with pytest.raises(NotLinkable, match="import each other in a circle: "):
        modules_of(files, "a.js")
