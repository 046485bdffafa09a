#!/usr/bin/env bash
# Builds MODULE for RUNTIME and copies what it leaves, BUILT, into jars/.
set -euo pipefail

options=(-DskipTests)
case $RUNTIME in
  native) options+=(-Pnative) ;;
esac

mvn --batch-mode --no-transfer-progress "${options[@]}" package \
  --projects "$MODULE" --also-make
mkdir -p jars
cp -- "$BUILT" jars/
