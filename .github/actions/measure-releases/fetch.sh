#!/usr/bin/env bash
# Takes the history on BRANCH of this repository as results/releases, where there is one.
set -euo pipefail
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"

rm -rf results/releases
mkdir -p results
if [ -n "$(git ls-remote --heads "$remote" "$BRANCH")" ]; then
  git clone --quiet --depth 1 --branch "$BRANCH" -- "$remote" results/releases
  rm -rf results/releases/.git
fi
