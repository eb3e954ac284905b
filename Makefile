# `make demo`, `make test` and `make docs` set up what they need on a fresh machine and are quick when run again.
PY := .venv/bin/python
BLENDER ?= yes
BROWSER ?= yes
WORKERS ?= 2
# TORCH=cpu: PyTorch without CUDA, 4 GB smaller.
TORCH ?=
QUESTION ?= What will happen next?
# Tests that need Blender or a browser are left out only on request, those of detectron2 and whole sweeps always.
LEFT_OUT := detectron2 full $(if $(filter no,$(BLENDER)),blender) $(if $(filter no,$(BROWSER)),browser)
MARKERS := -m "not ($(subst $() , or ,$(strip $(LEFT_OUT))))"
# One thread for each worker: more threads than cores wait for each other. Bytecode is kept, also where the environment says
# otherwise: compiling tests and toolkit anew takes each process ten seconds.
PYTEST := PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(PY) -m pytest -n $(WORKERS) --dist loadfile

.PHONY: demo test test-fast test-full test-detectron2 lint types unit docs setup setup-demo setup-docs clean

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
	$(PYTEST) -m "not slow and not blender and not browser and not detectron2 and not full"

# The whole of what `make test` samples.
test-full: setup
	$(PYTEST) -m full

# Builds detectron2 into the environment once, which takes minutes, and runs the tests that need it.
test-detectron2: setup
	@tools/setup.sh detectron2
	OMP_NUM_THREADS=1 $(PY) -m pytest -n 0 -m detectron2 tests/models/perceiver/detection

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
