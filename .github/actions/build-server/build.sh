#!/usr/bin/env bash
# Builds MODULE for RUNTIME into jars/: the jar MADE, or the native image MADE of the model IMAGE.
set -euo pipefail

build() {
  mvn --batch-mode --no-transfer-progress -DskipTests package --projects "$MODULE" --also-make "$@"
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
