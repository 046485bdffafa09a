#!/usr/bin/env bash
# Finds the newest commit before HEAD that the history on BRANCH has, below HISTORY_PATH. springbench itself writes the
# output, and says in the summary why there is none.
set -euo pipefail
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"

with_access springbench base --remote "$remote" "${place[@]}" -- "$HEAD"
