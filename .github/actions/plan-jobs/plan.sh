#!/usr/bin/env bash
# Plans with the options that are set: PROFILE, ONLY, CONNECTIONS, FORKS, DURATION, MATRIX, SHARDS,
# RUNNER_LABELS.
# springbench itself writes the step's outputs, and a mistake to its summary.
set -euo pipefail
# shellcheck source=.github/actions/options.sh
. "${BASH_SOURCE[0]%/*}/../options.sh"

options=()
add_options PROFILE CONNECTIONS FORKS DURATION MATRIX SHARDS RUNNER_LABELS
add_globs "${ONLY-}"
exec springbench plan --github "${options[@]}"
