#!/bin/sh
# Resolves the requirements of bench/pyproject.toml into the two lock files: exact versions with
# their hashes, and no download addresses, so that any index or mirror may serve them.
set -eu
cd "$(dirname -- "$0")"
compile() {
  uv pip compile pyproject.toml --upgrade --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-annotate --no-header --quiet "$@"
}
compile --output-file requirements.txt
compile --extra dev --output-file requirements-dev.txt
