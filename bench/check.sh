#!/bin/sh
# Every check of the project, in turn. All of them run, so that one call shows all that is wrong;
# the last line counts the tests of all languages.
# Needs what `bench/bootstrap.sh --dev` sets up. Options are passed on to pytest.
set -u
top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
bin=$top/.venv/bin
reports=$top/.tools/test
failed_steps=

step() {
  name=$1
  shift
  printf '\n== %s\n' "$name"
  "$@" || failed_steps="$failed_steps$name, "
}

# Aloud, and where CI is set a failure: there nobody reads what was left out.
skip() {
  printf '\n== %s\nskipped: %s\n' "$1" "$2"
  [ "${CI-}" != true ] || failed_steps="$failed_steps$1 (skipped), "
}

# It looks for the workflows from where it is called.
actionlint_here() { (cd "$top" && .tools/bin/actionlint -shellcheck "$bin/shellcheck"); }

rm -rf "$reports"
mkdir -p "$reports"

cd "$top/bench" || exit 3
step 'ruff check' "$bin/ruff" check .
step 'ruff format' "$bin/ruff" format --check .
step 'mypy' "$bin/mypy" springbench tests evaluation tally.py
step 'import-linter' "$bin/lint-imports"
step 'shellcheck' "$bin/shellcheck" --external-sources --source-path=.. \
  ./*.sh ../site/*.sh ../.ci/run ../.github/actions/*.sh ../.github/actions/*/*.sh tests/workflows/stand_ins/*/*.sh
if [ -x "$top/.tools/bin/actionlint" ]; then
  step 'actionlint' actionlint_here
else
  skip 'actionlint' 'it is not installed; bench/bootstrap.sh --dev installs it where Go is'
fi
[ -x "$top/.tools/bin/act" ] ||
  skip 'workflows end to end' 'act is not installed; bench/bootstrap.sh --dev installs it where Go is'
step 'zizmor' "$bin/zizmor" --offline --pedantic --no-progress --quiet "$top/.github"
step 'pytest' "$bin/pytest" --junit-xml "$reports/pytest.xml" "$@"

cd "$top/site" || exit 3
PATH=$top/.tools/node/bin:$PATH
if command -v npm >/dev/null 2>&1; then
  step 'npm ci' npm ci --prefer-offline --no-progress
  step 'site lint' npm run --silent lint
  step 'site types' npm run --silent types:check
  step 'tsc' npm run --silent typecheck
  step 'vitest' npm run --silent test -- --reporter=default --reporter=junit \
    --outputFile.junit="$reports/vitest.xml"
  step 'vite build' npm run --silent build
  step 'browser tests' npm run --silent test:browser -- --reporter=default --reporter=junit \
    --outputFile.junit="$reports/vitest-browser.xml"
elif [ "${CI-}" = true ]; then
  step 'site' false
else
  skip 'site' 'Node is not installed'
fi

cd "$top" || exit 3
if JAVA_HOME=$("$bin/python" -m springbench.host.tools.find); then
  export JAVA_HOME
  step 'Maven verify' mvn --batch-mode --no-transfer-progress verify
else
  step 'JDK' false
fi

printf '\n'
exec "$bin/python" "$top/bench/tally.py" "$reports" "${failed_steps%, }"
