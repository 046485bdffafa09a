#!/usr/bin/env bash
# Lays SITE over BRANCH of this repository: files of the last site go, `data/` and `dev/` stay.
# A push that somebody else's came before is made again on top of theirs.
set -euo pipefail
# shellcheck source=.github/actions/git-access.sh
. "${BASH_SOURCE[0]%/*}/../git-access.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git -C "$work" init --quiet
git -C "$work" remote add origin "$remote"

lay_over() {
  if git -C "$work" ls-remote --exit-code --heads origin "$BRANCH" >/dev/null; then
    git -C "$work" fetch --quiet --depth 1 origin "+refs/heads/$BRANCH:refs/remotes/origin/$BRANCH"
    git -C "$work" checkout --quiet --force -B "$BRANCH" "origin/$BRANCH"
  else
    git -C "$work" checkout --quiet --orphan "$BRANCH"
  fi
  find "$work" -mindepth 1 -maxdepth 1 ! -name .git ! -name data ! -name dev -exec rm -rf {} +
  cp -R -- "$SITE"/. "$work"
  # GitHub Pages would otherwise run Jekyll and drop files that begin with an underscore
  touch "$work/.nojekyll"
  git -C "$work" add --all
  if git -C "$work" diff --cached --quiet; then
    echo "deploy-site: nothing has changed"
    exit 0
  fi
  git -C "$work" commit --quiet --message "Deploy the site of ${GITHUB_SHA:0:12}"
}

pause_s=1
for attempt in 1 2 3 4 5 6; do
  lay_over
  if git -C "$work" push --quiet origin "HEAD:refs/heads/$BRANCH"; then
    exit 0
  fi
  echo "deploy-site: push $attempt was rejected; once more in $pause_s s"
  sleep "$pause_s"
  pause_s=$((pause_s * 2))
done
echo "deploy-site: $BRANCH could not be pushed" >&2
exit 1
