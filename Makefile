# make demo | test | bench | lint | sweep | clean. Every target makes .venv when it is missing.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check -qq
JOBS   ?= 2
SWEEP  ?= tests
# Stamps: what was installed, and from which pyproject.toml. A second run installs nothing.
DEMO   := $(VENV)/.installed-demo
TEST   := $(VENV)/.installed-test

.PHONY: demo test bench lint sweep clean

demo: $(DEMO)
	@$(BIN)/python examples/dynamic_rnn.py

test: $(TEST)
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist=worksteal tests

bench: $(TEST)
	@$(BIN)/python -m tests.bench $(W)

lint: $(TEST)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

sweep: $(TEST)
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist=worksteal -m sweep $(SWEEP)

clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@echo "making $(VENV) with $(PYTHON)"
	@$(PYTHON) -m venv $(VENV)

$(DEMO): pyproject.toml | $(BIN)/python
	@echo "installing into $(VENV)"
	@$(PIP) install -e '.[demo]'
	@touch $@

$(TEST): pyproject.toml | $(BIN)/python
	@echo "installing the test tools into $(VENV)"
	@$(PIP) install -e '.[test]'
	@touch $@ $(DEMO)
