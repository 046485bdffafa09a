#!/usr/bin/env bash
# Takes what was measured now: runs as report/runs/<id>/run.json, comparisons as
# report/comparisons/<purpose>/<id>/comparison.json. What lies in data/ came from the history.
set -euo pipefail

mkdir -p report
count=0
for file in results/releases/runs/*/run.json results/releases/comparisons/*/*/comparison.json; do
  folder=${file%/*}
  # `latest` is another name of one of them
  if [ ! -f "$file" ] || [ -L "$folder" ]; then continue; fi
  place=report/${folder#results/releases/}
  mkdir -p "$place"
  cp -- "$file" "$place/"
  count=$((count + 1))
done
echo "measure-releases: $count files of results"
