# make demo | test | uncompiled | bench | lint | sweep | array-api | docs | clean. Every target makes
# .venv when it is
# missing, with any Python from 3.11 on: the first of these that runs (a shim of pyenv may not), or
# the one that is asked for: make test PYTHON=python3.13
define FIND_PYTHON
for one in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	if $$one -c "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))" 2>/dev/null; \
	then command -v $$one; break; fi; done
endef
PYTHON ?= $(shell $(FIND_PYTHON))
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check -qq
JOBS   ?= 2
SWEEP  ?= tests
# NumPy's and the compiler's part, the same on every version of Python. What is Python's own of it
# (test_ops_numbers, test_gradients_at_edges, ...) is met again by the programs of the corpus.
OF_NUMBERS := test_ops_[!n]* test_scalar_* test_gradients_table.py test_lower_* test_optimizer* \
	test_graph_* test_autodiff_* test_random_tensors.py test_kernel_library.py test_soak.py
# Stamps: what was installed, and from which pyproject.toml. A second run installs nothing.
DEMO   := $(VENV)/.installed-demo
TEST   := $(VENV)/.installed-test

.PHONY: demo test uncompiled bench lint sweep array-api docs clean

demo: $(DEMO)
	@$(BIN)/python examples/dynamic_rnn.py

test: $(TEST)
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist=worksteal tests

# What may differ between versions of Python: without native code, and without the tests of numbers.
uncompiled: $(TEST)
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist=worksteal -m "not compiled and not sweep and not gpu" \
		$(addprefix --ignore-glob=*/,$(OF_NUMBERS)) tests

bench: $(TEST)
	@$(BIN)/python -m tests.bench $(W)

lint: $(TEST)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

sweep: $(TEST)
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist=worksteal -m sweep $(SWEEP)

# The array API standard's own suite (data-apis/array-api-tests), from a checkout with its submodule.
ARRAY_API_TESTS ?= ../array-api-tests
array-api: $(TEST)
	@test -d "$(ARRAY_API_TESTS)/array_api_tests" || { echo "clone data-apis/array-api-tests with its \
	submodule, and name it: make array-api ARRAY_API_TESTS=path"; exit 1; }
	@$(PIP) install pytest-json-report 'hypothesis>=6.151' 'ndindex>=1.8'
	@cd "$(ARRAY_API_TESTS)" && ARRAY_API_TESTS_MODULE=autograph ARRAY_API_TESTS_VERSION=2024.12 \
		ARRAY_API_TESTS_XFAIL_MARK=skip $(CURDIR)/$(BIN)/python -m pytest -q -n $(JOBS) -c pytest.ini \
		--rootdir=. --disable-deadline --xfails-file=$(CURDIR)/tests/array_api_failures.txt array_api_tests

# The guide, the reference and the rest of docs/ as pages of HTML, in build/docs.
docs: $(TEST)
	@$(PIP) install -e '.[docs]'
	@$(BIN)/python -m sphinx -q -W --keep-going -b html docs build/docs
	@echo "build/docs/index.html"

clean:
	rm -rf $(VENV) .venv-3.* build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "no Python from 3.11 on that runs: name one, PYTHON=..."; exit 1; }
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
