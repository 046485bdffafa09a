#!/usr/bin/env bash
# Writes what CHANGELOG.md says of the version of TAG to NOTES. Refused are a tag that is no version
# of the package, and a version of which CHANGELOG.md says nothing.
set -euo pipefail

refuse() {
  echo "::error::$1"
  exit 2
}

version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' bench/springbench/__init__.py)
if [ "$TAG" != "v$version" ]; then
  refuse "tag $TAG: bench/springbench/__init__.py has version '$version'; allowed: v$version, or set the version first"
fi
# from the line of this version to that of the next
awk -v version="$version" '
  /^## / { inside = ($2 == version); next }
  inside { print }
' CHANGELOG.md | sed -e '/./,$!d' >"$NOTES"
if ! grep -q '[^[:space:]]' "$NOTES"; then
  refuse "CHANGELOG.md has nothing under '## $version': rename '## Unreleased', with the date behind it"
fi
