#!/usr/bin/env bash
# One artifact by its name lands in the folder itself, several by a pattern each in one of its own.
# A name that is not there is an error, a pattern that matches nothing is none.
set -euo pipefail
mkdir -p "$FOLDER" "$STAND_IN_STORE/artifacts"
if [ -n "$NAME" ]; then
  cp -R "$STAND_IN_STORE/artifacts/$NAME"/. "$FOLDER"
  exit
fi
# {a,b} is a list of patterns
IFS=, read -r -a patterns <<<"$(tr -d '{}' <<<"$WANTED")"
for artifact in "$STAND_IN_STORE/artifacts"/*; do
  [ -e "$artifact" ] || continue
  for pattern in "${patterns[@]}"; do
    # shellcheck disable=SC2053  # a pattern is meant
    [[ ${artifact##*/} == $pattern ]] || continue
    to=$FOLDER
    [ "$MERGE" = true ] || to=$FOLDER/${artifact##*/}
    mkdir -p "$to"
    cp -R "$artifact"/. "$to"
  done
done
