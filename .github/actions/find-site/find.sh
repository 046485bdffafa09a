#!/usr/bin/env bash
# Says, as the output `deployed`, whether version.txt below HISTORY_PATH on BRANCH of this repository
# is VERSION, and as `artifact` a name for the site that another CALL of one workflow run does not
# have.
set -euo pipefail
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"
# shellcheck source=.github/actions/options.sh
. "${BASH_SOURCE[0]%/*}/../options.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git -C "$work" init --quiet
deployed=false
if git -C "$work" fetch --quiet --depth 1 "$remote" "refs/heads/$BRANCH" &&
  [ "$(git -C "$work" show FETCH_HEAD:${HISTORY_PATH:+$HISTORY_PATH/}version.txt 2>/dev/null)" = "$VERSION" ]; then
  deployed=true
fi
echo "artifact=$(with_digest site "${CALL-}")" >>"$GITHUB_OUTPUT"
echo "deployed=$deployed" | tee -a "$GITHUB_OUTPUT"
