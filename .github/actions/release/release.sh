#!/usr/bin/env bash
# Makes the release of TAG with every file in FILES, then lets the tag of its major version point to
# the same commit. The same again changes nothing: a release that is there is left as it is.
set -euo pipefail
here=${BASH_SOURCE[0]%/*}
# shellcheck source=.github/actions/git-access.sh
. "$here/../git-access.sh"

NOTES=$(mktemp)
export NOTES
trap 'rm -f "$NOTES"' EXIT
"$here/notes.sh"

if gh release view "$TAG" --repo "$GITHUB_REPOSITORY" >/dev/null 2>&1; then
  echo "release: $TAG is released already"
else
  gh release create "$TAG" --repo "$GITHUB_REPOSITORY" --verify-tag --title "$TAG" \
    --notes-file "$NOTES" -- "$FILES"/*
fi
# callers of `uses: ...@v1` get it from now on
git push --quiet --force "$remote" "HEAD:refs/tags/${TAG%%.*}"
