# Two commands are enough: `make run` and `make test`. Both set themselves up.

VENV := .venv
PYTHON := $(VENV)/bin/python
READY := $(VENV)/.installed

.PHONY: run test check bench pictures

run: $(READY)  ## start the app, with the demo study
	$(PYTHON) app.py

test: $(READY) chromium  ## run every test, the browser's too
	$(PYTHON) -m pytest -n 2 --dist loadfile

check: $(READY) chromium  ## what must be green before a change goes in
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(PYTHON) -m pytest -n 2 --dist loadfile

bench: $(READY) chromium  ## measure speed; prints ratios of one run
	$(PYTHON) -m tests.benchmarks $(NAME)

pictures: $(READY) chromium  ## take the README's pictures again
	$(PYTHON) docs/make_pictures.py

$(READY): requirements.txt
	python3 -m venv $(VENV)
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-compile --requirement requirements.txt  # Python compiles what it imports
	touch $(READY)

.PHONY: chromium
chromium:
	@command -v chromium > /dev/null || \
		{ $$(command -v sudo) apt-get update -qq && $$(command -v sudo) apt-get install -y -qq chromium; }
