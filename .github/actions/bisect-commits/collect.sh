#!/usr/bin/env bash
# Takes each comparison below results/, one a step of the bisection, as report/<number>/.
set -euo pipefail

mkdir -p results
count=0
while IFS= read -r -d '' file; do
  count=$((count + 1))
  mkdir -p "report/$count"
  cp -- "$file" "report/$count/comparison.json"
done < <(find results -name comparison.json -type f -print0 | sort -z)
echo "bisect-commits: $count comparisons were made"
