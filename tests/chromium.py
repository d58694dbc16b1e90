"""The Chromium of tests and benchmarks, and how it is started. No test lives here."""

import shutil

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
