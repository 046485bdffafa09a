#!/usr/bin/env bash
# Tells the events on BRANCH of this repository, below HISTORY_PATH, as issues of it, with links to SITE. Without a
# history there is nothing to tell.
set -euo pipefail
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"

# the event of a schedule does not name the repository, its environment does
owner=${GITHUB_REPOSITORY%%/*}
export SPRINGBENCH_SITE=${SITE:-https://$owner.github.io/${GITHUB_REPOSITORY#*/}/${HISTORY_PATH:+$HISTORY_PATH/}}
with_access springbench alert --remote "$remote" "${place[@]}"
