#!/usr/bin/env bash
# Builds MODULE for RUNTIME into jars/: the jar MADE, or the native image MADE of the model IMAGE.
# Why it fails is said in the summary.
set -euo pipefail

log=$(mktemp)
trap 'rm -f "$log"' EXIT

build() {
  mvn --batch-mode --no-transfer-progress -DskipTests package --projects "$MODULE" --also-make "$@" |
    tee "$log" || failed
}

# an indented block, which no line of the log can end
failed() {
  {
    printf '**%s (%s) could not be built.** Its cases are published as failed, the others are measured.\n\n' \
      "$MODULE" "$RUNTIME"
    { grep --text '^\[ERROR\]' "$log" || tail -n 10 "$log"; } | head -n 10 |
      tr -d '\000-\010\013-\037' | cut -c 1-300 | sed 's/^/    /'
    echo
  } >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
  exit 1
}

mkdir -p jars
if [[ $RUNTIME == native ]]; then
  build -Pnative "-Dspringbench.image=$IMAGE" \
    "-Dspringbench.imageFolder=$PWD/jars/$(dirname -- "$MADE")"
  test -s "jars/$MADE"
  # of the results that are measured with it
  native-image --version | sed -n 1p >"jars/$(dirname -- "$MADE")/made-with"
else
  build
  cp -- "$MADE" jars/
fi
