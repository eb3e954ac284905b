# `make demo`, `make test` and `make docs` set up what they need on a fresh machine and are quick when run again.
PY := .venv/bin/python
BLENDER ?= yes
BROWSER ?= yes
WORKERS ?= 2
# TORCH=cpu: PyTorch without CUDA, 4 GB smaller.
TORCH ?=
QUESTION ?= What will happen next?
# Tests that need Blender or a browser are left out only on request.
LEFT_OUT := $(if $(filter no,$(BLENDER)),blender) $(if $(filter no,$(BROWSER)),browser)
MARKERS := $(if $(strip $(LEFT_OUT)),-m "not ($(subst $() , or ,$(strip $(LEFT_OUT))))")
# One thread for each worker: more threads than cores wait for each other.
PYTEST := OMP_NUM_THREADS=1 $(PY) -m pytest -n $(WORKERS) --dist loadfile

.PHONY: demo test test-fast lint types unit docs setup setup-demo setup-docs clean

demo: setup-demo
	.venv/bin/comphy demo --out demo --workers $(WORKERS) --question "$(QUESTION)"

test: lint types unit

lint: setup
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

types: setup
	$(PY) -m mypy

unit: setup
	$(PYTEST) $(MARKERS)

# The quick tests, which are nearly all.
test-fast: BLENDER = no
test-fast: BROWSER = no
test-fast: setup
	$(PYTEST) -m "not slow and not blender and not browser"

docs: setup-docs
	$(PY) -m mkdocs build --strict

setup:
	@TORCH=$(TORCH) BLENDER=$(BLENDER) BROWSER=$(BROWSER) tools/setup.sh test

setup-demo:
	@TORCH=$(TORCH) tools/setup.sh demo

setup-docs:
	@TORCH=$(TORCH) tools/setup.sh docs

clean:
	rm -rf .venv demo out site .pytest_cache .mypy_cache .ruff_cache
