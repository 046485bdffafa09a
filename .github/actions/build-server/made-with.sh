#!/usr/bin/env bash
# Prints, as an output of a step, what tells images of different GraalVM releases apart.
set -euo pipefail

version=$(native-image --version | sed -n 1p)
# letters, digits, dots and dashes alone may stand in the key of a cache
printf 'suffix=-%s\n' "$(tr -cs '[:alnum:].' '-' <<<"$version" | sed 's/-*$//')"
