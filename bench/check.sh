#!/bin/sh
# Every check of the project. All of them run, so that one call shows all that is wrong; the last
# lines count the tests of all languages. The site and the servers are tested beside the harness;
# what they print comes when they have ended. The servers' tests are not run again while their
# sources and the JDK are those with which they passed; they say so.
#
# usage: bench/check.sh [--quick] [options of pytest]
#        --quick: linters, types and unit tests, in less than a minute
# Needs what `bench/bootstrap.sh --dev` sets up.
set -u
top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
bin=$top/.venv/bin
reports=$top/.tools/test
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

# It looks for the workflows from where it is called.
actionlint_here() { (cd "$top" && .tools/bin/actionlint -shellcheck "$bin/shellcheck"); }

lint() {
  cd "$top/bench" || exit 3
  step 'ruff check' "$bin/ruff" check .
  step 'ruff format' "$bin/ruff" format --check .
  step 'mypy' "$bin/mypy" springbench tests evaluation tally.py
  step 'import-linter' "$bin/lint-imports"
  step 'shellcheck' "$bin/shellcheck" --external-sources --source-path=.. \
    ./*.sh ../site/*.sh ../.ci/run ../.github/actions/*.sh ../.github/actions/*/*.sh \
    tests/workflows/stand_ins/*/*.sh
  if [ -x "$top/.tools/bin/actionlint" ]; then
    step 'actionlint' actionlint_here
  else
    skip 'actionlint' 'it is not installed; bench/bootstrap.sh --dev installs it where Go is'
  fi
  step 'zizmor' "$bin/zizmor" --offline --pedantic --no-progress --quiet "$top/.github" "$top/action.yml"
}

site_static() {
  cd "$top/site" || exit 3
  step 'site lint' npm run --silent lint
  step 'site types' npm run --silent types:check
  step 'tsc' npm run --silent typecheck
  step 'vitest' npm run --silent test -- --reporter=default --reporter=junit \
    --outputFile.junit="$reports/vitest.xml"
}

# What was installed is kept inside, so that it goes with it.
install_packages() {
  npm ci --prefer-offline --no-progress && cp package-lock.json node_modules/installed
}

site() {
  cd "$top/site" || exit 3
  if command -v npm >/dev/null 2>&1; then
    cmp -s package-lock.json node_modules/installed ||
      step 'npm ci' install_packages
    site_static
    step 'vite build' npm run --silent build
    step 'report page' npm run --silent report-page
    step 'browser tests' npm run --silent test:browser -- --reporter=default --reporter=junit \
      --outputFile.junit="$reports/vitest-browser.xml"
  elif [ "${CI-}" = true ]; then
    step 'site' false
  else
    skip 'site' 'Node is not installed'
  fi
}

# Empty where it cannot be told: then nothing counts as unchanged.
digest_of_servers() {
  "$bin/python" -c 'import sys; from pathlib import Path
from springbench.build.maven import file_digest, source_digest
top = Path(sys.argv[1])
print(source_digest(top), file_digest(top / "bench/matrix.toml"), sys.argv[2])' "$top" "$JAVA_HOME"
}

# In a copy, since tests of the harness build and start the same jars meanwhile. The proof that they
# passed stands inside, beside their reports.
verify_servers() {
  rm -rf "$servers"
  mkdir -p "$servers"
  (cd "$top" && tar -cf - --exclude=target .mvn pom.xml servers bench/matrix.toml) |
    (cd "$servers" && tar -xf -) &&
    (cd "$servers" && mvn --batch-mode --no-transfer-progress --threads 2 verify) &&
    printf '%s\n' "$digest" >"$servers/passed"
}

java_tests() {
  if JAVA_HOME=$("$bin/python" -m springbench.host.tools.find); then
    export JAVA_HOME
    digest=$(digest_of_servers)
    if [ -n "$digest" ] && [ "$digest" = "$(cat "$servers/passed" 2>/dev/null)" ]; then
      printf '\n== Maven verify\nunchanged since it passed; rm -r .tools/verify makes it run again\n'
    else
      step 'Maven verify' verify_servers
    fi
  else
    step 'JDK' false
  fi
}

rm -rf "$reports"
mkdir -p "$reports"

if $quick; then
  lint
  # what starts servers, git or scripts is marked as integration
  step 'unit tests' "$bin/pytest" -n auto --dist loadgroup -m 'not integration' \
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
  # builds that tests of workflows keep for each other: those of sources long gone
  find "$top/.tools/cache/actions" -mindepth 1 -maxdepth 1 -mtime +7 -exec rm -rf {} + 2>/dev/null
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
