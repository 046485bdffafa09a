#!/usr/bin/env bash
# Publishes the run folders in RUNS to BRANCH of this repository, below HISTORY_PATH. Shards that are unfit springbench
# leaves out, with the reason in the log and in the summary. With CHARTS the outputs `throughput` and
# `costs` say whether export/ holds something for github-action-benchmark, which takes no empty list.
set -euo pipefail
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"

found=()
while IFS= read -r -d '' file; do
  found+=("${file%/*}")
done < <(find "$RUNS" -name run.json -print0 | sort -z)
if [ "${#found[@]}" -eq 0 ]; then
  echo 'publish-runs: no shard has left a run; nothing to publish' | tee -a "$GITHUB_STEP_SUMMARY"
  exit 0
fi

options=(--push "$remote" "${place[@]}")
# the action that draws charts would add a page that loads a script from elsewhere
if [ "$CHARTS" = true ]; then options+=(--export export --charts-page); fi
# a re-run has the same id, and so replaces what it published before
options+=(--id "gh-$GITHUB_RUN_ID${NAME:+-$NAME}" --url "$remote/actions/runs/$GITHUB_RUN_ID")
options+=(--shards "$SHARDS")
if [ "$FORCE" = true ]; then options+=(--force); fi
with_access springbench publish "${options[@]}" -- "${found[@]}"
if [ "$CHARTS" != true ]; then exit 0; fi

# github-action-benchmark takes the branch as it finds it here, and else fetches all of its past
git fetch --quiet --depth=1 "$remote" "+refs/heads/$BRANCH:refs/heads/$BRANCH" ||
  echo "publish-runs: $BRANCH could not be fetched; github-action-benchmark tries it itself"
for name in throughput costs; do
  filled=false
  if [ -f "export/$name.json" ]; then filled=true; fi
  echo "$name=$filled" >>"$GITHUB_OUTPUT"
done
