# shellcheck shell=bash
# Lets git of this process and its children push with TOKEN, without a file or an address that
# holds it. Sets `remote`.
# shellcheck source=.github/actions/trust-workspace.sh
. "${BASH_SOURCE[0]%/*}/trust-workspace.sh"

# shellcheck disable=SC2034  # for the script that sources this one
remote=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY
if [ -n "${TOKEN-}" ]; then
  basic=$(printf 'x-access-token:%s' "$TOKEN" | base64 | tr -d '\n')
  echo "::add-mask::$basic"
  export "GIT_CONFIG_KEY_${GIT_CONFIG_COUNT:-0}=http.$GITHUB_SERVER_URL/.extraheader"
  export "GIT_CONFIG_VALUE_${GIT_CONFIG_COUNT:-0}=AUTHORIZATION: basic $basic"
  export GIT_CONFIG_COUNT=$((${GIT_CONFIG_COUNT:-0} + 1))
fi
export GIT_TERMINAL_PROMPT=0
export GIT_AUTHOR_NAME='github-actions[bot]'
export GIT_AUTHOR_EMAIL='41898282+github-actions[bot]@users.noreply.github.com'
export GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
