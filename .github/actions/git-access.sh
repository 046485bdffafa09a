# shellcheck shell=bash
# Lets git reach this repository with TOKEN, without a file, an address or a command line that holds
# it. In the environment the token is only of git, and of what `with_access` runs: neither a build nor
# a server that the script starts gets to see it. Sets `remote`, and `place`: options that say where
# on it the history lies (BRANCH, HISTORY_PATH).
# shellcheck source=.github/actions/trust-workspace.sh
. "${BASH_SOURCE[0]%/*}/trust-workspace.sh"

# shellcheck disable=SC2034  # for the script that sources this one
remote=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY
# shellcheck disable=SC2034
place=("--branch=${BRANCH:-gh-pages}")
if [ -n "${HISTORY_PATH-}" ]; then place+=("--path=$HISTORY_PATH"); fi
if [ -n "${TOKEN-}" ]; then
  export -n TOKEN
  basic=$(printf 'x-access-token:%s' "$TOKEN" | base64 | tr -d '\n')
  echo "::add-mask::$basic"
fi
export GIT_TERMINAL_PROMPT=0
export GIT_AUTHOR_NAME='github-actions[bot]'
export GIT_AUTHOR_EMAIL='41898282+github-actions[bot]@users.noreply.github.com'
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL

# with_access COMMAND...: runs it, and git that it calls may use the token
with_access() {
  if [ -z "${TOKEN-}" ]; then
    command "$@"
    return
  fi
  (
    count=${GIT_CONFIG_COUNT:-0}
    export "GIT_CONFIG_KEY_$count=http.$GITHUB_SERVER_URL/.extraheader"
    export "GIT_CONFIG_VALUE_$count=AUTHORIZATION: basic $basic"
    export GIT_CONFIG_COUNT=$((count + 1))
    exec "$@"
  )
}

git() {
  with_access git "$@"
}
