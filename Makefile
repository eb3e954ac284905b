# `make demo` and `make test` set up everything on a fresh machine and are quick when run again.
PY := .venv/bin/python
BLENDER ?= yes
WORKERS ?= 2
# Tests that need Blender are left out only on request.
MARKERS := $(if $(filter no,$(BLENDER)),-m "not blender",)

.PHONY: demo test lint types unit setup clean

demo: setup
	$(PY) tools/generate.py configs/data/comphy.yaml --out demo --sets 3 --seed 7 --workers $(WORKERS)
	$(PY) tools/check.py demo --redraw 1
	$(PY) tools/preview.py demo --page

test: lint types unit

lint: setup
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

types: setup
	$(PY) -m mypy

unit: setup
	$(PY) -m pytest -n $(WORKERS) --dist loadfile $(MARKERS)

setup:
	@BLENDER=$(BLENDER) tools/setup.sh

clean:
	rm -rf .venv demo out .pytest_cache .mypy_cache .ruff_cache
