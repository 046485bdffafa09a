#!/usr/bin/env bash
# An empty folder, then exactly the wanted commit.
set -euo pipefail
[ "$PERSIST" = false ] || exit 1
origin=$STAND_IN_ORIGIN
# of another repository, as a service's workflow asks for springbench
if [ -n "$REPOSITORY" ] && [ "$REPOSITORY" != "$GITHUB_REPOSITORY" ]; then
  origin=$STAND_IN_OTHERS/$REPOSITORY
fi
mkdir -p "$PLACE"
cd "$PLACE"
find . -mindepth 1 -maxdepth 1 -exec rm -rf {} +
git init --quiet
git remote add origin "$origin"
# its objects are used where they lie: to copy them would take longer than most jobs
git -C "$origin" rev-parse --path-format=absolute --git-path objects >.git/objects/info/alternates
git fetch --quiet origin '+refs/*:refs/remotes/origin/*'
git checkout --quiet --detach "$WANTED" 2>/dev/null ||
  git checkout --quiet --detach "origin/heads/$WANTED"
