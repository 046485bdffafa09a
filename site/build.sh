#!/bin/sh
# Builds the dashboard into dist/ and the report page into report/, with Node as the host has it or
# from PyPI. Run again with nothing changed it compares one digest and is done.
#
# SPRINGBENCH_NODE_MODULES may name what another clone on this host has installed: where that is of
# the same lock file, nothing is installed again.
#
# usage: site/build.sh
# exit:  0 built; 1 not (above it stands why)
set -eu
top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
stamp=$top/site/report/stamp
cd "$top/site"

digest() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

# All that the two are made from.
state() {
  {
    printf '%s\n' "${VITE_REPOSITORY-}"
    find src scripts/report_page.mjs index.html vite.config.ts package-lock.json -type f |
      LC_ALL=C sort | while read -r file; do echo "$file" && cat "$file"; done
  } | digest
}

now=$(state)
if [ -f dist/index.html ] && [ -f report/report.html ] && [ "$(cat "$stamp" 2>/dev/null)" = "$now" ]; then
  exit 0
fi
sh ./bootstrap.sh "$top/.venv/bin/python" --node
PATH=$top/.tools/node/bin:$PATH
command -v npm >/dev/null 2>&1 || exit 1
echo "springbench: building the dashboard"
ready=${SPRINGBENCH_NODE_MODULES-}
if [ -n "$ready" ] && [ ! -e node_modules ] && cmp -s package-lock.json "$ready/installed"; then
  ln -s "$ready" node_modules
fi
# what was installed is kept inside, so that it goes with it
cmp -s package-lock.json node_modules/installed || {
  npm ci --prefer-offline --no-progress --no-audit --no-fund --silent
  cp package-lock.json node_modules/installed
}
npm run --silent build -- --logLevel warn
npm run --silent report-page
printf '%s\n' "$now" >"$stamp"
