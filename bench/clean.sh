#!/bin/sh
# Removes builds and caches. Kept: results/ (measured once, never again), .venv and .tools (set-up).
set -eu
cd "$(dirname -- "$0")/.."
find servers -type d -name target -prune -exec rm -rf {} + 2>/dev/null || true
rm -rf target site/dist site/report .tools/demo .tools/cache .tools/verify .tools/passed.json .tools/build.json .tools/build.log .tools/test \
  bench/.mypy_cache bench/.ruff_cache bench/.pytest_cache bench/.hypothesis \
  bench/.import_linter_cache bench/.grimp_cache
find bench -type d -name __pycache__ -prune -exec rm -rf {} +
