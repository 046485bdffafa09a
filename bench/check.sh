#!/bin/sh
# Every check of the project. All of them run, so that one call shows all that is wrong; the last
# lines count the tests of all languages. The site and the servers are tested beside the harness;
# what they print comes when they have ended. A step whose files have not changed since it passed
# says so, and is not run again.
#
# usage: bench/check.sh [--quick] [options of pytest]
#        --quick: only what starts no process, in less than a minute
# Needs what `bench/bootstrap.sh --dev` sets up.
set -u
top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
bin=$top/.venv/bin
reports=$top/.tools/test
passed=$top/.tools/passed
servers=$top/.tools/verify
PATH=$top/.tools/node/bin:$PATH
quick=false
if [ "${1-}" = --quick ]; then
  quick=true
  shift
fi

step() {
  name=$1
  shift
  began=$(date +%s)
  printf '\n== %s\n' "$name"
  "$@" || printf '%s, ' "$name" >>"$reports/failed"
  printf '%4d s %s\n' "$(($(date +%s) - began))" "$name" >>"$reports/times"
}

# Aloud, and where CI is set a failure: there nobody reads what was left out.
skip() {
  printf '\n== %s\nskipped: %s\n' "$1" "$2"
  [ "${CI-}" != true ] || printf '%s (skipped), ' "$1" >>"$reports/failed"
}

# as `step`, unless nothing below the paths before -- has changed since it passed
step_if_changed() {
  name=$1 paths=
  shift
  while [ "$1" != -- ]; do
    paths="$paths $1"
    shift
  done
  shift
  stamp=$passed/$(printf %s "$name" | tr ' ' -)
  # shellcheck disable=SC2086 # the paths are ours, and hold no blanks
  digest=$("$bin/python" "$top/bench/digest.py" $paths)
  if [ "$digest" = "$(cat "$stamp" 2>/dev/null)" ]; then
    printf '\n== %s\nunchanged since it passed; rm -r .tools/passed makes it run again\n' "$name"
    return
  fi
  rm -f "$stamp"
  before=$(cat "$reports/failed" 2>/dev/null)
  step "$name" "$@"
  if [ "$before" = "$(cat "$reports/failed" 2>/dev/null)" ]; then
    mkdir -p "$passed" && printf '%s\n' "$digest" >"$stamp"
  fi
}

# It looks for the workflows from where it is called.
actionlint_here() { (cd "$top" && .tools/bin/actionlint -shellcheck "$bin/shellcheck"); }

lint() {
  cd "$top/bench" || exit 3
  step 'ruff check' "$bin/ruff" check .
  step 'ruff format' "$bin/ruff" format --check .
  step 'mypy' "$bin/mypy" springbench tests evaluation tally.py digest.py
  step 'import-linter' "$bin/lint-imports"
  step 'shellcheck' "$bin/shellcheck" --external-sources --source-path=.. \
    ./*.sh ../site/*.sh ../.ci/run ../.github/actions/*.sh ../.github/actions/*/*.sh \
    tests/workflows/stand_ins/*/*.sh
  if [ -x "$top/.tools/bin/actionlint" ]; then
    step 'actionlint' actionlint_here
  else
    skip 'actionlint' 'it is not installed; bench/bootstrap.sh --dev installs it where Go is'
  fi
  step 'zizmor' "$bin/zizmor" --offline --pedantic --no-progress --quiet "$top/.github"
}

site_static() {
  cd "$top/site" || exit 3
  step 'site lint' npm run --silent lint
  step 'site types' npm run --silent types:check
  step 'tsc' npm run --silent typecheck
  step 'vitest' npm run --silent test -- --reporter=default --reporter=junit \
    --outputFile.junit="$reports/vitest.xml"
}

site() {
  cd "$top/site" || exit 3
  if command -v npm >/dev/null 2>&1; then
    step_if_changed 'npm ci' site/package.json site/package-lock.json -- \
      npm ci --prefer-offline --no-progress
    site_static
    step 'vite build' npm run --silent build
    step 'browser tests' npm run --silent test:browser -- --reporter=default --reporter=junit \
      --outputFile.junit="$reports/vitest-browser.xml"
  elif [ "${CI-}" = true ]; then
    step 'site' false
  else
    skip 'site' 'Node is not installed'
  fi
}

# In a copy, since tests of the harness build and start the same jars meanwhile.
verify_servers() {
  rm -rf "$servers"
  mkdir -p "$servers"
  (cd "$top" && tar -cf - --exclude=target pom.xml servers bench/matrix.toml) |
    (cd "$servers" && tar -xf -) &&
    (cd "$servers" && mvn --batch-mode --no-transfer-progress verify)
}

java_tests() {
  if JAVA_HOME=$("$bin/python" -m springbench.host.tools.find); then
    export JAVA_HOME
    step_if_changed 'Maven verify' pom.xml servers bench/matrix.toml -- verify_servers
  else
    step 'JDK' false
  fi
}

rm -rf "$reports"
mkdir -p "$reports"

if $quick; then
  lint
  # a process of a test is marked as integration
  step 'pytest without processes' "$bin/pytest" -n auto --dist loadgroup -m 'not integration' \
    --hypothesis-profile quick \
    --junit-xml "$reports/pytest.xml" "$@"
  if [ -d "$top/site/node_modules" ]; then
    (site_static)
  else
    skip 'site' 'its packages are not installed; make test installs them'
  fi
else
  printf '== the site and the servers are tested beside the rest; what they say comes last\n'
  # a group of processes of its own, so that Ctrl-C ends all of it
  set -m
  { site; java_tests; } >"$reports/beside.log" 2>&1 &
  beside=$!
  set +m
  trap 'kill -TERM -- "-$beside" 2>/dev/null; exit 130' INT TERM
  lint
  # one more than there are CPUs, for many tests wait
  workers=$(($("$bin/python" -c 'import os; print(os.cpu_count() or 1)') + 1))
  step 'pytest' "$bin/pytest" -n "$workers" --dist loadgroup \
    --junit-xml "$reports/pytest.xml" "$@"
  wait "$beside"
  cat "$reports/beside.log"
fi

printf '\n'
sort -rn "$reports/times"
failed_steps=$(cat "$reports/failed" 2>/dev/null)
exec "$bin/python" "$top/bench/tally.py" "$reports" "${failed_steps%, }"
