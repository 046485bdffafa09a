#!/usr/bin/env bash
# Makes the release of TAG with every file in FILES. Then lets the tag of its major version point to
# the same commit, where TAG is the newest version of it: never back, and to no pre-release. The same
# again changes nothing: a release that is there is left as it is.
set -euo pipefail
here=${BASH_SOURCE[0]%/*}
# shellcheck source=.github/actions/git-access.sh
. "$here/../git-access.sh"

NOTES=$(mktemp)
export NOTES
trap 'rm -f "$NOTES"' EXIT
"$here/notes.sh"

# newest PREFIX: the newest version of the repository's tags that begin with it
newest() {
  git ls-remote --tags --refs "$remote" "refs/tags/$1*" | sed -nE 's,.*refs/tags/(v[0-9]+\.[0-9]+\.[0-9]+)$,\1,p' |
    sort --version-sort | tail -n 1
}

major=${TAG%%.*}
latest=false
if [ "$(newest v)" = "$TAG" ]; then latest=true; fi
if GH_TOKEN=${TOKEN-} gh release view "$TAG" --repo "$GITHUB_REPOSITORY" >/dev/null 2>&1; then
  echo "release: $TAG is released already"
else
  GH_TOKEN=${TOKEN-} gh release create "$TAG" --repo "$GITHUB_REPOSITORY" --verify-tag --title "$TAG" \
    --latest="$latest" --notes-file "$NOTES" -- "$FILES"/*
fi

found=$(newest "$major.")
if [ "$found" != "$TAG" ]; then
  echo "release: $major stays where it is: $TAG is not its newest version, ${found:-none} is" |
    tee -a "${GITHUB_STEP_SUMMARY:-/dev/null}"
  exit 0
fi
# callers of `uses: ...@v1` get it from now on; nobody else has moved it meanwhile
before=$(git ls-remote "$remote" "refs/tags/$major" | cut -f 1)
git push --quiet --force-with-lease="refs/tags/$major:$before" "$remote" "HEAD:refs/tags/$major"
echo "release: $major is $TAG"
