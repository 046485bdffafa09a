# `make` alone lists the targets. Options of the benchmark go through ARGS:
#   make bench ARGS="--only 'boot4-*-virtual-*/pay/*'"
.DEFAULT_GOAL := help
.PHONY: help setup bench site test test-all test-evaluation check evaluate lock wheel clean
ARGS ?=

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing: .venv, a JDK, Maven, wrk
	@sh bench/bootstrap.sh

bench: setup ## set up, then measure the profile `quick` (or what ARGS says)
	@sh site/build.sh || echo 'springbench: measuring without a report page: it could not be built'
	@.venv/bin/springbench run --profile quick $(ARGS)

site: ## set up, then serve the dashboard over the runs of this clone (PORT=8000)
	@sh bench/bootstrap.sh --python
	@sh site/build.sh
	@sh site/serve.sh $(ARGS)

check: ## set up, then linters, types and unit tests: less than a minute
	@sh bench/bootstrap.sh --dev
	@.venv/bin/python bench/check.py check

test: ## set up, then all that a change must pass: also processes, workflows, servers, the site
	@sh bench/bootstrap.sh --dev
	@.venv/bin/python bench/check.py test

test-all: ## set up, then every test there is
	@sh bench/bootstrap.sh --dev
	@.venv/bin/python bench/check.py all

test-evaluation: ## set up, then types and tests of what evaluates the method (bench/evaluation)
	@sh bench/bootstrap.sh --dev
	@.venv/bin/python bench/check.py all --only 'types of evaluation/' --only 'tests of evaluation/'

evaluate: ## set up, then hold the finder of steps against the rules that others use
	@sh bench/bootstrap.sh --dev
	@cd bench && ../.venv/bin/python -m evaluation.finder $(ARGS)

lock: ## resolve the Python requirements anew (needs uv)
	@sh bench/lock.sh

wheel: ## set up, then build the Python package, with the report page in it, into dist/
	@sh bench/bootstrap.sh --python
	@sh site/build.sh
	@sh bench/wheel.sh

clean: ## remove what builds and tests leave behind; keep results and set-up
	@sh bench/clean.sh
