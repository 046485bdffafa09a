#!/usr/bin/env bash
# Says in the log and in the summary that github-action-benchmark has failed; the run is published.
set -euo pipefail

echo '::warning::github-action-benchmark has failed: its log says at what. The run is published; a chart under dev/bench or a comment on the commit may be missing. Re-run this job to try again.' |
  tee -a "$GITHUB_STEP_SUMMARY"
