#!/usr/bin/env bash
# Takes the newest comparison below results/ as report/comparison.json, and shows its report in the
# summary. It is saved after each pair: one that was ended by force left what it had measured.
set -euo pipefail

mkdir -p results
found=$(find results -mindepth 2 -maxdepth 2 -name comparison.json | sort | tail -n 1)
if [ -z "$found" ]; then
  echo 'compare-commits: nothing was compared'
  exit 0
fi
mkdir -p report
cp -- "$found" report/comparison.json
if [ -d "${found%/*}/flame-graphs" ]; then
  cp -R -- "${found%/*}/flame-graphs" report/
fi
if [ -f "${found%/*}.md" ]; then
  cat -- "${found%/*}.md" >>"$GITHUB_STEP_SUMMARY"
else
  echo 'compare-commits: ended before it was done; what was measured until then is kept' |
    tee -a "$GITHUB_STEP_SUMMARY"
fi
