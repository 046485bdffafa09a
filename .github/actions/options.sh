# shellcheck shell=bash
# Turns environment variables into options of springbench, in the array `options`.
# Whatever a value holds, it stays one argument: nothing is split, expanded or run.
# Whoever asks springbench for something has checked out what it is about.
# shellcheck source=.github/actions/trust-workspace.sh
. "${BASH_SOURCE[0]%/*}/trust-workspace.sh"

# add_options NAME...: --name=value for each variable that is not empty
add_options() {
  local name
  for name in "$@"; do
    if [ -n "${!name-}" ]; then
      options+=("--$(tr '[:upper:]_' '[:lower:]-' <<<"$name")=${!name}")
    fi
  done
}

# with_digest NAME TEXT: NAME, and a short digest of the TEXT unless that is empty
with_digest() {
  local digest=''
  if [ -n "$2" ]; then
    digest=$(printf '%s' "$2" | sha256sum | cut -c 1-8)
  fi
  printf '%s\n' "$1${1:+${digest:+-}}$digest"
}

# add_globs TEXT: --only=glob for each of the globs between blanks or line ends
add_globs() {
  local words glob
  # read splits at blanks and expands no pattern, as an unquoted word would
  read -r -d '' -a words <<<"$1" || true
  for glob in ${words[@]+"${words[@]}"}; do
    options+=("--only=$glob")
  done
}
