# Each target makes its own environment in .venv first; a second run finds it ready.
# PYTHON names another interpreter: make test PYTHON=python3.12

PYTHON ?= python3
WORKERS ?= auto

VENV := .venv
RUN := $(VENV)/bin/python
READY := $(VENV)/.ready

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test browser lint format bench exhaustive clean

help:
	@echo "make demo        fill a fresh store with simulated play and tour the reports"
	@echo "make test        run all tests"
	@echo "make browser     look at the pages in a Chromium: CHROMIUM names it"
	@echo "make lint        ruff and mypy --strict"
	@echo "make format      put the code into the house format"
	@echo "make bench       measure beside bare SQLite, PostgreSQL and the library: ten minutes"
	@echo "make exhaustive  count every hand there is, a million house ways, 100,000 rounds, a second opinion: hours"
	@echo "make clean       remove the environment and the caches"

demo: $(READY)
	@env -u ROUNDS_DB $(VENV)/bin/rounds --db sqlite:///demo.db demo --force

test: $(READY)
	@env -u CHROMIUM $(RUN) -m pytest -q -n $(WORKERS) --dist worksteal

browser: $(READY)
	@found="$${CHROMIUM:-$$(command -v chromium || command -v chromium-browser || command -v google-chrome)}"; \
	test -n "$$found" || { echo "no Chromium was found: install chromium, or name one with CHROMIUM=..." >&2; exit 2; }; \
	$(RUN) -c 'import playwright' 2>/dev/null || $(RUN) -m pip install --quiet -c constraints.txt -e '.[browser]' || exit 2; \
	CHROMIUM="$$found" $(RUN) -m pytest -q -n $(WORKERS) --dist worksteal tests/browser

lint: $(READY)
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(RUN) -m mypy

format: $(READY)
	@$(RUN) -m ruff check --fix .
	@$(RUN) -m ruff format .

bench: $(READY)
	@$(RUN) -m tests.bench.all

exhaustive: $(READY)
	@$(RUN) -m tests.exhaustive.seven_card
	@$(RUN) -m tests.exhaustive.six_card
	@$(RUN) -m tests.exhaustive.high_card_flush
	@$(RUN) -m tests.exhaustive.house_way
	@$(RUN) -m tests.exhaustive.simulated_rounds
	@$(RUN) -m tests.oracle.many_hands
	@$(RUN) -m tests.oracle --rounds 20000 --seed 1

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist

$(READY): pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) was not found: install Python 3.11 or later, or name one with PYTHON=..." >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	{ echo "$(PYTHON) is $$($(PYTHON) -V 2>&1): Python 3.11 or later is needed; name one with PYTHON=..." >&2; exit 2; }
	@test -x $(RUN) || $(PYTHON) -m venv $(VENV) || \
	{ rm -rf $(VENV); echo "no environment could be made: on Debian and Ubuntu install python3-venv" >&2; exit 2; }
	@echo "installing into $(VENV) ..."
	@$(RUN) -m pip install --quiet -c constraints.txt -e '.[dev,postgres]'
	@touch $@
