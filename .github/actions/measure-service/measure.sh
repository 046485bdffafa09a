#!/usr/bin/env bash
# Measures the service in FOLDER into results/ there, or compares it with the commit BASE of its
# repository, which is built in a work tree of its own. BUILD is run at each. Without a
# springbench.toml one is written from JAR, COMMAND, ROUTES and CONNECTIONS, or from the project.
# The outputs `service` and `name` tell what it leaves from what other services do, and from what other
# calls do where CALL differs. The exit code is that of springbench. Run collect.sh of compare-commits after a comparison, always.
set -euo pipefail
here=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd)
# shellcheck source=.github/actions/options.sh
. "$here/../options.sh"

refuse() {
  echo "::error::$1"
  echo "**Error:** $1" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
  exit 2
}

# build PLACE: BUILD, in a shell of its own
build() {
  if [ -n "${BUILD-}" ]; then
    echo "measure-service: builds in $1"
    (cd -- "$1" && bash -euo pipefail -c "$BUILD")
  fi
}

# check_out_base: BASE in a work tree; sets `base`, the folder of the service there
check_out_base() {
  local commit place=${RUNNER_TEMP:-/tmp}/springbench-base
  commit=$(git rev-parse --verify --quiet "$BASE^{commit}" ||
    git rev-parse --verify --quiet "refs/remotes/origin/$BASE^{commit}") ||
    refuse "base '$BASE' is no commit of this checkout: add fetch-depth 0 to actions/checkout"
  rm -rf -- "$place"
  git worktree prune
  git worktree add --quiet --detach -- "$place" "$commit"
  base=$place/$(git rev-parse --show-prefix)
}

describe() {
  local words options=(--yes) route
  read -r -d '' -a words <<<"${ROUTES-}" || true
  for route in ${words[@]+"${words[@]}"}; do
    options+=("--route=$route")
  done
  add_options JAR COMMAND CONNECTIONS
  springbench init "${options[@]}"
}

cd -- "${FOLDER:-.}"
if [ ! -f springbench.toml ]; then
  describe
  CONNECTIONS='' # they stand in the file now
elif [ -n "${JAR-}${COMMAND-}${ROUTES-}" ]; then
  refuse 'jar, command and routes describe what springbench.toml describes already: leave them out'
fi
# first: a build that fails leaves it, too
service=$(springbench plan --service)
name=$(with_digest "$service" "${CALL-}")
printf 'service=%s\nname=%s\n' "$service" "$name" >>"${GITHUB_OUTPUT:-/dev/null}"
if [ -n "${BASE-}" ]; then
  mkdir -p report
  printf '%s\n' "$service" >report/service.txt
fi
build .

if [ -z "${BASE-}" ]; then
  ID=${ID:-gh-${GITHUB_RUN_ID:-local}${name:+-$name}}
  PROFILE=${PROFILE:-quick}
  export ID PROFILE CONNECTIONS
  echo "report=$PWD/results/$ID" >>"${GITHUB_OUTPUT:-/dev/null}"
  exec "$here/../measure-shard/measure.sh"
fi

check_out_base
build "$base"
options=(--prepare-host)
add_options PROFILE CONNECTIONS BUDGET FAIL_ON WAIT
add_globs "${ONLY-}"
mkdir -p results
exec springbench compare "${options[@]}" --results results -- "$base" .
