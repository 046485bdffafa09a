#!/usr/bin/env bash
# As GitHub does it: a second artifact of one name is refused unless it is to replace the first.
set -euo pipefail
to=$STAND_IN_STORE/artifacts/$NAME
if [ -e "$to" ]; then
  [ "$OVERWRITE" = true ] || exit 1
  rm -rf "$to"
fi
if [ ! -e "$FOLDER" ]; then
  echo "nothing to upload as $NAME"
  [ "$NOTHING" != error ]
  exit
fi
mkdir -p "$to"
cp -R "$FOLDER"/. "$to"
echo "artifact-url=https://github.example/artifacts/$NAME" >>"$GITHUB_OUTPUT"
