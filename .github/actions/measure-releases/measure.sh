#!/usr/bin/env bash
# Measures RELEASES as far as the history on BRANCH has not got them, on a copy of it below
# results/releases: steps are found in the whole. springbench itself writes the outputs.
set -euo pipefail
# shellcheck source=.github/actions/options.sh
. "${BASH_SOURCE[0]%/*}/../options.sh"
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

read -r -d '' -a wanted <<<"$RELEASES" || true
options=()
add_options ROUNDS CONFIRM_MINUTES
add_globs "$ONLY"
if [ "${LIST-}" = true ]; then
  options+=(--list)
  add_options RUNNER_LABELS
else
  add_options WAIT
  options+=(--prepare-host)
fi

code=0
springbench releases "${options[@]}" --history results/releases -- "${wanted[@]}" | tee said ||
  code=$?
{
  echo '```text'
  # nothing that was said can end the block
  sed 's/`/ˋ/g' said
  echo '```'
} >>"$GITHUB_STEP_SUMMARY"
exit "$code"
