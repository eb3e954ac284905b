# `make demo` and `make test` set up everything on a fresh machine and are quick when run again.
PY := .venv/bin/python
BLENDER ?= yes
BROWSER ?= yes
WORKERS ?= 2
QUESTION ?= If the purple cylinder were lighter, what would happen?
# Tests that need Blender or a browser are left out only on request.
LEFT_OUT := $(if $(filter no,$(BLENDER)),blender) $(if $(filter no,$(BROWSER)),browser)
MARKERS := $(if $(strip $(LEFT_OUT)),-m "not ($(subst $() , or ,$(strip $(LEFT_OUT))))")

.PHONY: demo test lint types unit setup clean

demo: BROWSER = no
demo: setup
	$(PY) tools/generate.py configs/data/comphy.yaml --out demo --sets 3 --seed 7 --workers $(WORKERS)
	$(PY) tools/check.py demo --redraw 1
	$(PY) tools/preview.py demo --page
	$(PY) tools/ask.py models/weights/pcr demo:0 "$(QUESTION)" --clip demo/preview/imagined.mp4

test: lint types unit

lint: setup
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

types: setup
	$(PY) -m mypy

# One thread for each worker: more threads than cores wait for each other.
unit: setup
	OMP_NUM_THREADS=1 $(PY) -m pytest -n $(WORKERS) --dist loadfile $(MARKERS)

setup:
	@BLENDER=$(BLENDER) BROWSER=$(BROWSER) tools/setup.sh

clean:
	rm -rf .venv demo out .pytest_cache .mypy_cache .ruff_cache
