#!/usr/bin/env bash
# Measures RELEASES as far as the copy of the history below results/releases has not got them: steps
# are found in the whole. springbench itself writes the outputs. What it builds and starts is code of
# others: no token is in the environment of this step.
set -euo pipefail
# shellcheck source=.github/actions/options.sh
. "${BASH_SOURCE[0]%/*}/../options.sh"

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
