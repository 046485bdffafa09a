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
  local said commit place=${RUNNER_TEMP:-/tmp}/springbench-base remedy pointers
  said=$(LC_ALL=C git rev-parse --is-shallow-repository 2>&1) || {
    remedy="'base' needs a checkout that git reads"
    if [[ $said == *safe.directory* ]]; then
      remedy="git config --global --add safe.directory '$PWD', or the user that checked it out"
    fi
    refuse "git does not read this checkout (${said%%$'\n'*}): $remedy"
  }
  remedy='allowed is a branch, a tag or an id that was fetched'
  if [ "$said" = true ]; then remedy='add fetch-depth 0 to actions/checkout'; fi
  commit=$(git rev-parse --verify --quiet "$BASE^{commit}" ||
    git rev-parse --verify --quiet "refs/remotes/origin/$BASE^{commit}") ||
    refuse "base '$BASE' is no commit of this checkout: $remedy"
  rm -rf -- "$place"
  git worktree prune
  git worktree add --quiet --detach -- "$place" "$commit"
  add_submodules "$(git rev-parse --show-toplevel)" "$place"
  pointers=$(git -C "$place" grep -lI '^version https://git-lfs' -- ':(attr:filter=lfs)' | wc -l) || true
  if [ "$pointers" -gt 0 ]; then
    echo "::warning::$pointers files of the base are pointers of Git LFS without their content: add lfs to actions/checkout"
  fi
  base=$place/$(git rev-parse --show-prefix)
}

# add_submodules FROM TO: the submodules that FROM has checked out, in TO as its commit names them.
# They are work trees of the same clones: what is there needs no network and no token.
add_submodules() {
  local mode commit stage path
  while IFS=$' \t' read -r -d '' mode commit stage path; do
    [ "$mode" = 160000 ] && [ "$stage" = 0 ] || continue
    if [ -e "$1/$path/.git" ]; then
      git -C "$1/$path" worktree prune
      git -C "$1/$path" cat-file -e "$commit^{commit}" 2>/dev/null ||
        git -C "$1/$path" fetch --quiet origin "$commit" ||
        refuse "submodule $path has no commit $commit, which the base needs: fetch all of its past"
      git -C "$1/$path" worktree add --quiet --detach -- "$2/$path" "$commit"
      add_submodules "$1/$path" "$2/$path"
    elif ! git -C "$1" ls-files --error-unmatch -- "$path" >/dev/null 2>&1; then
      git -C "$2" submodule --quiet update --init --recursive -- "$path" ||
        refuse "submodule $path of the base, which is gone since, could not be fetched"
    fi
  done < <(git -C "$2" ls-files --stage -z)
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
