#!/usr/bin/env bash
# Refuses to release TAG, which is checked out, where it is not on DEFAULT_BRANCH of this repository,
# or where CHECK has not succeeded for its commit.
set -euo pipefail
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"

refuse() {
  echo "::error::$1"
  echo "**Not released:** $1" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
  exit 2
}

commit=$(git rev-parse 'HEAD^{commit}')
# of an annotated tag the second line, which names the commit
tagged=$(git ls-remote "$remote" "refs/tags/$TAG" "refs/tags/$TAG^{}" | tail -n 1 | cut -f 1)
if [ "$tagged" != "$commit" ]; then
  refuse "tag $TAG is ${tagged:-gone} by now, and this run is of $commit: run the workflow of the tag as it is"
fi
git fetch --quiet "$remote" "refs/heads/$DEFAULT_BRANCH"
if ! git merge-base --is-ancestor "$commit" FETCH_HEAD; then
  refuse "tag $TAG is of $commit, which is not on $DEFAULT_BRANCH: delete the tag, merge, and tag what was merged"
fi

# the newest of each check of that name; "queued" and the like have no conclusion yet
outcomes=$(GH_TOKEN=${TOKEN-} gh api --paginate --method GET \
  "repos/$GITHUB_REPOSITORY/commits/$commit/check-runs" -f check_name="$CHECK" -f filter=latest \
  --jq '.check_runs[] | select(.app.slug == "github-actions") | .conclusion // .status' | sort -u)
if [ "$outcomes" != success ]; then
  refuse "'$CHECK' of $commit is $(paste -sd, - <<<"${outcomes:-not there}"), and must be success: wait for CI or mend what it found, then re-run this job"
fi
echo "check-release: $TAG is $commit, on $DEFAULT_BRANCH, and $CHECK is success"
