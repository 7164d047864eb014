# `make demo` and `make test` do all the set-up themselves; the only needs are Python 3.11+ and make.
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/installed

.PHONY: demo test check format lint types layers docs pictures samples bench bench-questions bench-bounds clean

demo: $(INSTALLED)  ## run the main job on sample_logs: report, CSV, dashboard (DEMO_SERVE=0 stops before serving)
	$(BIN)/gatecov demo

test: $(INSTALLED)  ## all tests; those that need a browser say so loudly where there is none
	$(BIN)/python -m pytest -n 2 --dist loadfile

check: format lint types test  ## what must hold before a commit; the tests hold layers and docs in sync

format: $(INSTALLED)
	$(BIN)/ruff format --check .

lint: $(INSTALLED)
	$(BIN)/ruff check .

types: $(INSTALLED)
	$(BIN)/mypy

layers: $(INSTALLED)  ## only the test that holds the layers apart
	$(BIN)/python -m pytest tests/test_layers.py

docs: $(INSTALLED)  ## write the generated parts of README.md and docs/csv.md anew
	$(BIN)/python -m tests.docs --write

pictures: $(INSTALLED)  ## run docs/pruning.md again: its commands, their output, its pictures (needs a Chromium)
	PYTHONPATH=. $(BIN)/python docs/walkthrough.py

samples: $(INSTALLED)  ## write sample_logs anew
	$(BIN)/python -m samples

bench: $(INSTALLED)
	$(BIN)/python bench/run.py

bench-questions: $(INSTALLED)
	$(BIN)/python bench/questions.py

bench-bounds: $(INSTALLED)
	$(BIN)/python bench/bounds.py

clean:
	rm -rf .venv build gatecov-demo .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info

# The pins are one file; the fast marker search is an extra for machines that have a wheel of it, never a condition.
$(INSTALLED): requirements.txt requirements-fast.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "gatecov needs Python 3.11 or newer, and $(PYTHON) is " + sys.version.split()[0] + "; name another with: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
	-@$(BIN)/python -m pip install --quiet --disable-pip-version-check --only-binary :all: --requirement requirements-fast.txt \
	  || echo "note: no wheel of hyperscan for this machine; the marker search takes its slower way"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@
