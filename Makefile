# Two commands are enough: `make run` and `make test`. Both set themselves up. `make` alone lists all of them.

VENV := .venv
PYTHON := $(VENV)/bin/python
PIP := $(PYTHON) -m pip install --quiet --no-compile --disable-pip-version-check --require-hashes
RUNS := $(VENV)/.installed
DEVELOPS := $(VENV)/.installed-dev

# An address of CPU builds of torch, such as https://download.pytorch.org/whl/cpu. They need none of CUDA's packages.
TORCH_INDEX :=
WITH_INDEX := $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX))
CUDA := ^\(cuda-\|triton\|nvidia-[^m]\)

# Byte code is written now, on all cores, because containers often forbid writing it later.
UNUSED_RAY := ray/(llm|rllib|serve|train|tune)/
COMPILE := $(PYTHON) -m compileall -q -j 0 -x '/tests/|/torch/testing/_internal/|/site-packages/(pip/|$(UNUSED_RAY))'

# Pytest keeps the rewritten test modules, which saves seconds in each process.
PYTEST := PYTHONDONTWRITEBYTECODE= $(PYTHON) -m pytest
# A process takes whole files, so that a file's fixtures are made once. The third process fills the waits for browsers.
WHOLE_FILES := --dist loadfile --no-loadscope-reorder

.DEFAULT_GOAL := help
.PHONY: help run test quick check bench marks lock demo forms chromium nginx postgresql

help:  ## list these commands
	@sed -En 's/^([a-z-]+):.*## (.*)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

run: $(RUNS)  ## start the app, with the demo study
	$(PYTHON) app.py

test: $(DEVELOPS) chromium nginx postgresql  ## run every test, also those in a browser
	$(PYTEST) -n 3 $(WHOLE_FILES) -m "not scale"

quick: $(DEVELOPS)  ## run the quick tests, in less than a minute: no browser, no PostgreSQL, nothing slow
	$(PYTEST) -n 2 $(WHOLE_FILES) -p no:playwright -m "not slow and not scale"

check: forms test  ## check form and types, and run every test: what must be green before a change goes in

forms: $(DEVELOPS)
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(PYTHON) -W ignore -m ui.web.wire
	$(VENV)/bin/deno task --quiet check

bench: $(DEVELOPS) chromium  ## measure speed as ratios within one run; NAME=stats for one benchmark
	$(PYTHON) -m tests.benchmarks $(NAME)

marks: $(DEVELOPS)  ## measure how often marks by labels are right for people's captions
	$(PYTHON) -m tests.benchmarks.marks

lock: $(DEVELOPS)  ## pin in uv.lock and requirements.txt what pyproject.toml names; UPGRADE=--upgrade for newer versions
	$(VENV)/bin/uv lock $(UPGRADE)
	$(PYTHON) docs/make_requirements.py

demo: $(RUNS)  ## judge the demo again, after a change of HICE-S
	$(PYTHON) -m assets.demo.judge

# Torch comes first, in the build that this machine's pip prefers: it decides whether CUDA's packages are needed.
$(RUNS): requirements.txt
	python3 -m venv $(VENV)
	sed -n '/^torch==/,/# via/p' requirements.txt > $(VENV)/torch.txt
	$(PYTHON) -m pip download --quiet --disable-pip-version-check --no-deps $(WITH_INDEX) --dest $(VENV)/torch \
		$$(sed -n 's/^\(torch==[0-9.]*\).*/\1/p' requirements.txt)
	$(PIP) --no-deps --no-index --find-links $(VENV)/torch -r $(VENV)/torch.txt
	rm -r $(VENV)/torch
	case "$$($(PYTHON) -c 'from importlib.metadata import version; print(version("torch"))')" in \
		*+cpu) sed '/$(CUDA)/,/# via/d' requirements.txt ;; \
		*) cat requirements.txt ;; \
	esac > $(VENV)/full.txt
	$(PIP) --no-deps $(WITH_INDEX) -r $(VENV)/full.txt
	$(COMPILE) $(VENV)/lib app.py core storage ui assets capscope
	touch $(RUNS)

# uv only reads the lock here: pip installs, with this machine's index settings.
$(DEVELOPS): $(RUNS) uv.lock
	$(PYTHON) -m pip install --quiet --disable-pip-version-check uv~=0.13.9
	$(VENV)/bin/uv export --frozen --quiet --no-header --only-group dev > $(VENV)/dev.txt
	$(PIP) --no-deps -r $(VENV)/dev.txt
	$(COMPILE) $(VENV)/lib
	touch $(DEVELOPS)

# Debian's packages are installed one after another, even by make -j: apt-get locks its database.
# Chromium without windows takes half the time of a page; where Debian has it not, Chromium itself will do.
chromium:
	@command -v chromium > /dev/null && command -v chromium-headless-shell > /dev/null || \
		{ $$(command -v sudo) apt-get update -qq && \
		$$(command -v sudo) apt-get install -y -qq chromium chromium-headless-shell; } || command -v chromium > /dev/null

# The tests run it with a configuration and ports of their own. Debian's package would begin to serve port 80 as well.
nginx: | chromium
	@test -x /usr/sbin/nginx || { $$(command -v sudo) apt-get update -qq && \
		$$(command -v sudo) env RUNLEVEL=1 apt-get install -y -qq --no-install-recommends nginx-light; }

# Likewise: the tests start servers of their own, which nobody else can reach.
postgresql: | nginx
	@test -n "$$(command -v initdb /usr/lib/postgresql/*/bin/initdb)" || { $$(command -v sudo) apt-get update -qq && \
		$$(command -v sudo) env RUNLEVEL=1 apt-get install -y -qq --no-install-recommends postgresql; }
