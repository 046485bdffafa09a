#!/usr/bin/env bash
# Says, as the output `key` of a step, what the AOT caches of this shard on this host are kept under.
# It is empty where none is needed. The output `oha` is the folder of oha, where the shard asks for it.
set -euo pipefail
# shellcheck source=.github/actions/options.sh
. "${BASH_SOURCE[0]%/*}/../options.sh"

options=()
add_options PROFILE CONNECTIONS MATRIX
add_globs "${ONLY-}"
exec springbench plan --prepared-key "${options[@]}"
