#!/bin/sh
# The dashboard over the runs of this clone, on http://127.0.0.1:PORT (8000 unless PORT says so, the
# next free one where it is taken). Runs of results/ that are not in the history yet are added to it.
# Without any run it shows the measured releases of Spring Boot that demo/ has, and says so.
#
# usage: site/serve.sh [HISTORY]     HISTORY is the folder that holds data/; results/history unless given
set -eu
top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
history=${1-}
# as the caller means it, and not as seen from site/
case $history in '' | /*) ;; *) history=$PWD/$history ;; esac
PATH=$top/.tools/node/bin:$PATH
cd "$top/site"

# A run that cannot be published says why, and costs the others nothing.
add_runs() {
  for file in ../results/*/run.json; do
    folder=$(dirname "$file")
    id=$(basename "$folder")
    [ -f "$file" ] && [ ! -L "$folder" ] || continue
    [ ! -f "$history/data/runs/$id.json.gz" ] || continue
    ../.venv/bin/springbench publish "$folder" --history "$history" ||
      echo "springbench: $id is left out (above)" >&2
  done
}

if [ -z "$history" ]; then
  history=../results/history
  add_runs
fi
if [ ! -f "$history/data/index.json" ] && [ $# -eq 0 ]; then
  history=demo
  echo "springbench: no run is here yet (make bench makes one): these are releases of Spring Boot, measured elsewhere"
fi
exec node scripts/serve.mjs "$history" "${PORT-8000}"
