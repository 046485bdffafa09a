#!/usr/bin/env bash
# Tells the events on BRANCH of this repository as issues of it. Without a history there is nothing
# to tell.
set -euo pipefail
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"

exec springbench alert --remote "$remote" --branch "$BRANCH"
