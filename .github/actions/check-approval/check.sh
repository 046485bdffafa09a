#!/usr/bin/env bash
# Approved is a pull request from this repository itself, or the very event in which somebody with
# write access put the label `benchmark` on it. A label that is merely still there approves nothing:
# the push that follows it may hold anything.
set -euo pipefail
RUNNER_FILE=${RUNNER_FILE:-.github/runner.json}

# decide true|false REASON
decide() {
  echo "approved=$1" >>"$GITHUB_OUTPUT"
  # GitHub gives a fork's event no variables: the labels are those of the base's own file
  if [ "$1" = true ] && [ -f "$RUNNER_FILE" ]; then
    echo "runner=$(tr -d '\r\n' <"$RUNNER_FILE")" >>"$GITHUB_OUTPUT"
  fi
  echo "check-approval: $2"
  exit 0
}

# a bot's branch has code that nobody here has read yet
if [ "$HEAD_REPOSITORY" = "$GITHUB_REPOSITORY" ] && [[ $AUTHOR != *'[bot]' ]]; then
  decide true 'the branch is one of this repository'
fi
if [ "$ACTION" != labeled ] || [ "$LABEL" != benchmark ]; then
  decide false 'from another repository or a bot, and this event is nobody'\''s approval'
fi
# an account's name has no other characters, and this one becomes part of an address
if [[ ! $SENDER =~ ^[A-Za-z0-9][A-Za-z0-9_-]*$ ]]; then
  decide false 'the event names nobody who could approve'
fi
answer=$(curl --fail --silent --show-error --max-time 30 --retry 3 \
  --header "Authorization: Bearer $TOKEN" --header 'Accept: application/vnd.github+json' \
  "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/collaborators/$SENDER/permission") ||
  decide false "the rights of $SENDER could not be read"
right=$(sed -n 's/.*"permission" *: *"\([a-z]*\)".*/\1/p' <<<"$answer" | head -n 1)
case $right in
  admin | write) decide true "$SENDER, who may write, has put the label on it" ;;
  *) decide false "$SENDER put the label on it but may not write (${right:-no right})" ;;
esac
