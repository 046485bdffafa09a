#!/usr/bin/env bash
# Finds the newest commit before HEAD that the history on BRANCH has, below HISTORY_PATH. springbench itself writes the
# output, and says in the summary why there is none.
set -euo pipefail
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"
# shellcheck source=.github/actions/options.sh
. "${BASH_SOURCE[0]%/*}/../options.sh"

options=(--remote "$remote" "${place[@]}")
add_options SERVICE
with_access springbench base "${options[@]}" -- "$HEAD"
