#!/usr/bin/env bash
# Publishes each run.json below RUNS to BRANCH of this repository, one after the other. One that is
# refused costs the others nothing, and fails the step at the end.
set -euo pipefail
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"

mkdir -p -- "$RUNS"
failed=0
count=0
while IFS= read -r -d '' file; do
  count=$((count + 1))
  with_access springbench publish --push "$remote" "${place[@]}" \
    --url "$remote/actions/runs/$GITHUB_RUN_ID" -- "${file%/*}" || failed=$((failed + 1))
done < <(find "$RUNS" -name run.json -type f -print0 | sort -z)
echo "publish-releases: $count runs, $failed of them refused" | tee -a "$GITHUB_STEP_SUMMARY"
[ "$failed" -eq 0 ]
