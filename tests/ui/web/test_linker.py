"""Joining modules: a joined script does what the modules do; forms that are not understood are refused by name."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ui.web.files.linker import NotLinkable, later_modules_of, link, link_later, modules_of, read_module
from ui.web.files.static_files import STATIC, StaticFiles

DENO = Path(sys.executable).parent / "deno"  # comes with the development requirements

SOURCES = {
    "start.js": """\
// Starts.
import { add, LIST as all } from "./lib/list.js";
import {
  Counter,
} from "./lib/counter.js";

const counter = new Counter();
add("start");
const text = `a
// no comment
b`;
/** Of two lines.
 * @param {import("./lib/types.d.ts").X} x */
async function more(x) {
  return (await import("./lib/later.js")).later(x);
}
globalThis.result = more(/** @type {any} */ (text)).then((later) => ({ all, later, count: counter.more() }));
""",
    "lib/list.js": """\
export const LIST = [];
/** @param {string} text */
export function add(text) {
  LIST.push(text);
}
""",
    "lib/counter.js": """\
import { add } from "./list.js";
add("counter");
/* A class. */
export class Counter {
  count = 0;
  more() {
    return this.count += 1;
  }
}
""",
    "lib/later.js": """\
import { add, LIST } from "./list.js";
import { deep } from "../deep.js";
add("later");
export async function later(text) {
  return [text, deep, LIST.length];
}
""",
    "deep.js": "export const deep = 7;\n",
}
FILES = StaticFiles({name: text.encode() for name, text in SOURCES.items()})


def run(script: str, folder: Path) -> str:
    (folder / "run.js").write_text(script)
    command = [DENO, "run", "--quiet", "--no-config", "--allow-read", "--no-check", "run.js"]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env={"NO_COLOR": "1", "HOME": str(folder)}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_joined_script_does_what_its_modules_do(tmp_path: Path) -> None:
    now, later = modules_of(FILES, "start.js"), later_modules_of(FILES, "start.js")
    assert later == ("deep.js", "lib/later.js") and set(now) == {"start.js", "lib/list.js", "lib/counter.js"}
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "page.js").write_bytes(link(FILES, now, ["start.js"], "page.later.js"))
    (tmp_path / "page.later.js").write_bytes(link_later(FILES, later))
    shown = [
        run(f'import "./{name}"; console.log(JSON.stringify(await globalThis.result))', tmp_path)
        for name in ("start.js", "page.js")
    ]
    expected = {"all": ["counter", "start", "later"], "later": ["a\n// no comment\nb", 7, 3], "count": 1}
    assert [json.loads(text) for text in shown] == [expected, expected]


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


def test_a_form_that_the_linker_does_not_know_is_refused_by_name() -> None:
    for line in (
        'import "./other.js";',
        'import * as all from "./other.js";',
        "export default 1;",
        "export let a = 1;",
    ):
        with pytest.raises(NotLinkable, match=r"rate/odd\.js: the linker does not support this statement: "):
            read_module("rate/odd.js", f"// A comment.\n{line}\n")


def test_a_comment_at_the_end_of_a_line_is_left_out_of_a_bundle_and_a_text_is_not() -> None:
    for line, kept in (
        ("count += 1; // because of x", "count += 1;"),
        ('say("a // b"); // so', 'say("a // b");'),
        ('say("it\'s // so");', 'say("it\'s // so");'),
        ("const text = `a // b", "const text = `a // b"),
    ):
        assert read_module("rate/line.js", f"{line}\nend();\n").text.splitlines()[1] == kept


def test_modules_that_import_each_other_are_refused() -> None:
    files = StaticFiles({"a.js": b'import { b } from "./b.js";\n', "b.js": b'import { a } from "./a.js";\n'})
    with pytest.raises(NotLinkable, match="import each other in a circle: "):
        modules_of(files, "a.js")
