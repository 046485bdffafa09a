#!/usr/bin/env bash
# Posts REPORT. The pull request is the one that the event names, or, since the event names none for
# a fork, the open one from the event's branch whose last commit is the event's. Nothing that the
# other run has uploaded takes part in finding it.
set -euo pipefail

if [ -z "$NUMBER" ]; then
  NUMBER=$(curl --fail --silent --show-error --max-time 30 --retry 3 --get \
    --header "Authorization: Bearer $GITHUB_TOKEN" --header 'Accept: application/vnd.github+json' \
    --data-urlencode state=open --data-urlencode "head=$HEAD_OWNER:$HEAD_BRANCH" \
    "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/pulls" |
    python3 "${BASH_SOURCE[0]%/*}/number_of.py" "$HEAD_SHA")
fi
if [ -z "$NUMBER" ]; then
  echo "post-comment: no open pull request ends with $HEAD_SHA; a newer push has its own report"
  exit 0
fi

options=(--pull-request "$NUMBER" --run-url "$RUN_URL")
options+=(--run-number "$RUN_NUMBER" --run-attempt "$RUN_ATTEMPT")
if [ ! -f "$REPORT/comparison.json" ]; then
  options+=(--failed compare)
fi
exec springbench comment "$REPORT" "${options[@]}"
