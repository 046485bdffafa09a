#!/usr/bin/env bash
# Publishes each comparison.json below COMPARISONS, made for PURPOSE, to BRANCH of this repository,
# below HISTORY_PATH.
# What is unsound springbench leaves out, with the reason in the log and in the summary. A job that
# left none costs the others nothing; fewer than EXPECTED are said.
set -euo pipefail
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"

mkdir -p -- "$COMPARISONS"
options=()
while IFS= read -r -d '' file; do
  options+=("--comparison=${file%/*}")
done < <(find "$COMPARISONS" -name comparison.json -type f -print0 | sort -z)
if [ -n "${EXPECTED-}" ] && [ "${#options[@]}" -lt "$EXPECTED" ]; then
  echo "publish-comparisons: ${#options[@]} of $EXPECTED comparisons left a result; the logs say why" |
    tee -a "$GITHUB_STEP_SUMMARY"
fi
if [ "${#options[@]}" -eq 0 ]; then
  echo 'publish-comparisons: nothing was compared; nothing to publish' |
    tee -a "$GITHUB_STEP_SUMMARY"
  exit 0
fi

options+=(--purpose "$PURPOSE" --push "$remote" "${place[@]}")
options+=(--url "$remote/actions/runs/$GITHUB_RUN_ID")
with_access springbench publish "${options[@]}"
