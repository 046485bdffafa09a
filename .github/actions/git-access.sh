# shellcheck shell=bash
# Lets git reach this repository with TOKEN, without a file, an address or a command line that holds
# it. In the environment the token is only of git, and of what `with_access` runs: neither a build nor
# a server that the script starts gets to see it. Sets `remote`.

# git reads what this job has checked out, whoever owns it: in a job with `container:` that is another
# user. No configuration is written, and no other folder is trusted
if [ -n "${GITHUB_WORKSPACE-}" ]; then
  # its submodules, too; git before 2.46 takes the second one for a name
  for trusted in "$GITHUB_WORKSPACE" "$GITHUB_WORKSPACE/*"; do
    export "GIT_CONFIG_KEY_${GIT_CONFIG_COUNT:-0}=safe.directory"
    export "GIT_CONFIG_VALUE_${GIT_CONFIG_COUNT:-0}=$trusted"
    export GIT_CONFIG_COUNT=$((${GIT_CONFIG_COUNT:-0} + 1))
  done
  unset trusted
fi

# shellcheck disable=SC2034  # for the script that sources this one
remote=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY
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
