# Every target makes what it needs first and says so; PYTHON=/path/to/python3 chooses the interpreter.
.DEFAULT_GOAL := help
.PHONY: help demo test check bench bench-fairness golden image soak proto requirements clean env env-proto

# A caller's own environment must not leak into ours.
unexport PYTHONHOME PYTHONPATH VIRTUAL_ENV
export PYTHON

BIN := .venv/bin
ALONE := tests/unit tests/golden
# They wait for disks, databases and browsers, and touch nothing that others use.
WAITING := tests/e2e/web tests/contract/store tests/integration/store tests/integration/web

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s%s\n", $$1, $$2 }' Makefile

demo: env ## play a tournament between the sample bots and print the ranking
	@$(BIN)/arena demo

test: check env-proto ## check, then every test (without an engine those for containers are skipped)
	@echo "== tests that need nothing but a CPU, one process a core"
	@$(BIN)/python -m pytest -q --numprocesses auto $(ALONE)
	@echo "== tests of databases and browsers, a file at a time in four processes"
	@$(BIN)/python -m pytest -q --numprocesses 4 --dist loadfile $(WAITING)
	@echo "== tests of real processes and containers"
	@$(BIN)/python -m pytest $(foreach folder,$(ALONE) $(WAITING),--ignore $(folder))

check: env ## format, lint, strict types, import contracts, protos: no tests, quick
	@echo "== format"
	@$(BIN)/ruff format --check
	@echo "== lint"
	@$(BIN)/ruff check
	@echo "== types"
	@$(BIN)/python -m mypy
	@echo "== import contracts"
	@$(BIN)/lint-imports
	@echo "== protos"
	@$(BIN)/buf lint
	@$(BIN)/buf format --diff --exit-code

bench: env ## measure speed, beside two other libraries too; prints tables
	@$(BIN)/python -m benches

bench-fairness: env ## matches until an order is right: as peers do it, and ours; ARGS=--full for more
	@$(BIN)/python -m benches.fairness $(ARGS)

golden: env ## show what the golden playthroughs would say now; WRITE=1 accepts it
	@$(BIN)/python -m tests.golden.playthroughs $(if $(WRITE),--write)

image: env ## the arena's own image, claim-arena; BASE=IMAGE chooses what it is built on
	@tools/make-image $(or $(TAG),claim-arena) $(BASE)

soak: env ## the tests that run too long for make test
	@$(BIN)/python -m pytest -m soak

proto: env env-proto ## format proto/ and generate the stubs from it
	@$(BIN)/buf format --write
	@.venv-proto/bin/python tools/generate_stubs.py

requirements: env ## pin what pyproject.toml asks for; UPGRADE=1 takes newer versions
	@tools/pin-requirements $(if $(UPGRADE),--upgrade)

clean: ## remove what make made: the environments and the tools' caches
	rm -rf .venv .venv-proto .venv-peers .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

env:
	@tools/make-env .venv requirements/dev.txt sdk .

env-proto:
	@tools/make-env .venv-proto requirements/proto.txt
