"""The Chromium of tests and benchmarks, and how it is started. No test lives here."""

import shutil

# Without windows, tabs and menus that nobody sees, a page takes half the time; both are of one version and engine.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium") or "/usr/bin/chromium"
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",  # what draws without a GPU needs no process of its own
    "--renderer-process-limit=1",  # tabs of a profile share one, whose scripts are compiled
    "--disable-background-networking",
    "--disable-sync",
]
# Without WebGL, a page takes a fifth less of the processor: pages are then composed without SwiftShader's imitated GPU.
WITHOUT_WEBGL = ["--disable-gpu-compositing", "--disable-software-rasterizer"]
