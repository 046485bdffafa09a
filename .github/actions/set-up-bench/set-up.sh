#!/usr/bin/env bash
# Sets up the clone that this script is part of. What stands already is left alone. A job that does not
# measure (MEASURES is not true) gets no wrk and no JDK: where they come from may be down.
# SPRINGBENCH_VENV may name the .venv of another clone on this host. Where that was made from the
# same requirements, its packages serve this clone's own code, and nothing is installed.
set -euo pipefail
cd -- "${BASH_SOURCE[0]%/*}/../../.."

ready=${SPRINGBENCH_VENV-}
if [ -n "$ready" ] && [ -x "$ready/bin/python" ] &&
  cmp --silent bench/requirements.txt "$ready/../bench/requirements.txt"; then
  echo "set-up-bench: with the packages in $ready"
  mkdir -p .venv/bin
  printf '#!/usr/bin/env bash\nPYTHONPATH=%q exec %q -P -m springbench "$@"\n' \
    "$PWD/bench" "$ready/bin/python" >.venv/bin/springbench
  chmod +x .venv/bin/springbench
else
  if [ "${MEASURES-}" = true ]; then sh bench/bootstrap.sh; else sh bench/bootstrap.sh --python; fi
fi
echo "$PWD/.venv/bin" >>"$GITHUB_PATH"
