#!/usr/bin/env bash
# Sets up the clone in the working directory. What stands already is left alone.
set -euo pipefail

sh bench/bootstrap.sh
echo "$PWD/.venv/bin" >>"$GITHUB_PATH"
