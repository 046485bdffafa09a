#!/usr/bin/env bash
# Makes page/report.html of COMPARISON/comparison.json, which springbench checks as a stranger's file;
# whatever else lies there takes no part. A comparison that cannot be shown as a page has its table
# all the same: that is said, and is no failure.
set -euo pipefail

if [ ! -f "$COMPARISON/comparison.json" ] || [ -L "$COMPARISON/comparison.json" ]; then
  echo 'make-page: nothing was compared' | tee -a "$GITHUB_STEP_SUMMARY"
  exit 0
fi
sh site/build.sh
mkdir -p page
springbench report "$COMPARISON/comparison.json" --format page --output page/report.html || {
  echo 'make-page: this comparison has no page; the log says why' | tee -a "$GITHUB_STEP_SUMMARY"
  rm -f page/report.html
}
