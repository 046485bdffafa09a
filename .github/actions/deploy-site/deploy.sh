#!/usr/bin/env bash
# Lays SITE over BRANCH of this repository, below HISTORY_PATH. springbench replaces and removes what
# it wrote itself and nothing else, and pushes again where somebody else's push came before.
set -euo pipefail
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"

with_access springbench deploy --push "$remote" "${place[@]}" -- "$SITE"
