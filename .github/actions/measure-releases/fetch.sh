#!/usr/bin/env bash
# Takes the history on BRANCH of this repository as results/releases, where there is one.
set -euo pipefail
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"

rm -rf results/releases
mkdir -p results
if [ -n "$(git ls-remote --heads "$remote" "$BRANCH")" ]; then
  # a link there becomes a file with its target here: nothing is written through one
  git clone --quiet --depth 1 --branch "$BRANCH" --config core.symlinks=false -- "$remote" \
    results/releases
  rm -rf results/releases/.git
fi
