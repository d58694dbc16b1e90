# Two commands are enough: `make run` and `make test`. Both set themselves up. `make` alone lists all of them.

VENV := .venv
PYTHON := $(VENV)/bin/python
INSTALL := $(PYTHON) install.py --no-compile
RUNS := $(VENV)/.installed
DEVELOPS := $(VENV)/.installed-dev
SCALES := $(VENV)/.installed-scale

# Byte code is written now, on all cores, since containers often forbid writing it later (PYTHONDONTWRITEBYTECODE), and
# every start would then compile Gradio anew. Not compiled: packages' own tests, what is Python of a later version, and
# the half of Ray that nobody here uses.
UNUSED_RAY := ray/(llm|rllib|serve|train|tune)/
COMPILE := $(PYTHON) -m compileall -q -j 0 -x '/tests/|/torch/testing/_internal/|/site-packages/(pip/|$(UNUSED_RAY))'
COMPILED := $(VENV)/lib app.py core storage ui assets capscope

# Pytest rewrites every test's module for its messages: seconds of each process, unless it may keep what it has made.
PYTEST := PYTHONDONTWRITEBYTECODE= $(PYTHON) -m pytest

# Processes take whole files in order of the alphabet, so that what a file's tests share is made once, and browser's,
# which take longest, come early. There is a process for each of two cores, and one more where browsers are waited for.
WHOLE_FILES := --dist loadfile --no-loadscope-reorder
SIDE_BY_SIDE := -n 2 $(WHOLE_FILES)
ALL_SIDE_BY_SIDE := -n 3 $(WHOLE_FILES) -m "not scale"

.DEFAULT_GOAL := help
.PHONY: help run wheel quick slow test check bench marks test-vllm test-image test-python test-scale test-kernels pictures board wire demo lock
.PHONY: chromium nginx postgresql mmdebstrap

help:  ## list these commands
	@sed -En 's/^([a-z-]+):.*## (.*)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

run: $(RUNS)  ## start the app, with the demo study
	$(PYTHON) app.py

wheel: $(DEVELOPS)  ## build dist/capscope-VERSION-py3-none-any.whl
	$(PYTHON) -m hatchling build --target wheel

quick: $(DEVELOPS)  ## run the tests that are quick, in a minute: no browser, no network, no PostgreSQL, none of tests/slow.txt
	$(PYTEST) $(SIDE_BY_SIDE) -m "not slow and not scale" --ignore tests/browser

slow: $(DEVELOPS)  ## time the tests, and list those that quick leaves out
	$(PYTHON) -m tests.slow

test: $(DEVELOPS) chromium nginx postgresql  ## run every test, the browser's too; those on a Ray cluster are test-scale
	$(PYTEST) $(ALL_SIDE_BY_SIDE)

check: $(DEVELOPS) chromium nginx postgresql  ## what must be green before a change goes in: form, types, every test
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy
	$(PYTHON) -W ignore -m ui.web.wire
	$(VENV)/bin/deno task --quiet check
	$(PYTEST) $(ALL_SIDE_BY_SIDE)
	$(MAKE) --no-print-directory test-scale

bench: $(DEVELOPS) chromium  ## measure speed, prints ratios of one run; NAME=stats for one benchmark
	$(PYTHON) -m tests.benchmarks $(NAME)

marks: $(DEVELOPS)  ## measure what judging by labels says of people's captions of annotated pictures
	$(PYTHON) -m tests.benchmarks.marks

test-vllm: $(DEVELOPS)  ## compare with a real vLLM on this machine's cores; sets up its environment, 3.5 GB in .vllm
	tests/vllm/environment.sh .vllm
	$(PYTHON) -m tests.vllm.check .vllm

test-image: $(DEVELOPS) nginx mmdebstrap  ## build the Docker image's root without Docker, twice, and run it; needs root, 12 minutes, 5 GB
	$(PYTHON) -m tests.image $(FOLDER)

test-python: $(DEVELOPS) mmdebstrap  ## run the quick tests with Python 3.13, Debian 13's, in a root of its own; needs root, 15 minutes, 10 GB
	$(PYTHON) -m tests.other_python $(FOLDER)

# Only the files that have such tests, since reading all others takes longer than starting a cluster.
test-scale: $(SCALES)  ## judge on Ray clusters of this machine's, with workers that are killed; installs Ray, 200 MB
	$(PYTEST) -m scale $$(grep --recursive --files-with-matches --include='*.py' 'pytest[.]mark[.]scale' tests)

# OpenBLAS, numpy, torch and spaCy each choose their code by the processor. A setting makes them choose another's.
KERNELS := Haswell Zen Prescott
OLD_PROCESSOR := ATEN_CPU_CAPABILITY=default BLIS_ARCH_TYPE=generic DNNL_MAX_CPU_ISA=SSE41 \
	NPY_DISABLE_CPU_FEATURES="AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"

test-kernels: $(DEVELOPS)  ## run the tests without a browser as on three kinds of processors, in another time zone
	@for kernel in $(KERNELS); do \
		echo "== OPENBLAS_CORETYPE=$$kernel"; \
		test $$kernel = Prescott && export $(OLD_PROCESSOR); \
		OPENBLAS_CORETYPE=$$kernel TZ=Asia/Tokyo LANG=de_DE.UTF-8 \
			$(PYTEST) $(SIDE_BY_SIDE) -m "not scale" --ignore tests/browser || exit 1; \
	done

pictures: $(DEVELOPS) chromium  ## take the README's pictures and its film again
	$(PYTHON) docs/make_pictures.py
	$(PYTHON) docs/make_film.py

board: $(DEVELOPS) chromium  ## compute printed figures again from ../shared, and take their picture
	$(PYTHON) docs/make_board.py

wire: $(RUNS)  ## write the types of requests and answers for the scripts anew
	$(PYTHON) -W ignore -m ui.web.wire

demo: $(RUNS)  ## judge the demo anew, after a change of what HICE-S says
	$(PYTHON) -m assets.demo.judge

# uv keeps the versions of the lock that it finds, but also the hashes. So it gets a copy without hashes, to fetch them anew.
lock: $(DEVELOPS)  ## pin in requirements.lock what requirements*.txt name, with hashes; UPGRADE=--upgrade for newer versions
	sed '/^ *--hash/d; s/ *\\$$//' requirements.lock > $(VENV)/requirements.lock
	grep --no-filename --invert-match '^-' requirements-rating.txt requirements.txt requirements-train.txt requirements-dev.txt requirements-scale.txt | \
		$(VENV)/bin/uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes $(UPGRADE) - \
			--output-file $(VENV)/requirements.lock --custom-compile-command "make lock" --annotation-style line
	mv $(VENV)/requirements.lock requirements.lock

$(RUNS): requirements-rating.txt requirements.txt requirements-train.txt requirements.lock
	python3 -m venv $(VENV)
	$(INSTALL) requirements.txt
	$(COMPILE) $(COMPILED)
	touch $(RUNS)

$(DEVELOPS): requirements-dev.txt requirements-rating.txt requirements.txt requirements-train.txt requirements.lock
	python3 -m venv $(VENV)
	$(INSTALL) requirements-dev.txt
	$(COMPILE) $(COMPILED)
	touch $(RUNS) $(DEVELOPS)

$(SCALES): requirements-scale.txt $(DEVELOPS)
	$(INSTALL) requirements-scale.txt
	$(COMPILE) $(VENV)/lib
	touch $(SCALES)

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

# What makes and runs the image's root without Docker: Debian's root, networks, and the variables of nginx's template.
mmdebstrap:
	@command -v mmdebstrap > /dev/null && command -v ip > /dev/null && command -v envsubst > /dev/null || { $$(command -v sudo) apt-get update -qq && \
		$$(command -v sudo) apt-get install -y -qq --no-install-recommends mmdebstrap iproute2 gettext-base; }
