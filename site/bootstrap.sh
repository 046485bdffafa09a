#!/bin/sh
# What the site and its checks need and this host lacks: Node, from PyPI into .tools/node so that
# every host gets the same one, and Chromium, by apt. What cannot be had is said aloud, and checks
# that need it are skipped (with CI=true they fail).
#
# usage: site/bootstrap.sh PYTHON [--node]      a Python that can make a virtual environment
#        --node leaves out the browser, which only the checks need
# exit:  0 ready, or said what is missing; 2 wrong usage
set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
tools=$top/.tools/node
python=${1:?usage: site/bootstrap.sh PYTHON [--node]}

say() { printf '%s\n' "springbench: $*"; }

show_and_run() {
  printf '+ %s\n' "$*"
  "$@"
}

new_enough() {
  command -v npm >/dev/null 2>&1 && node -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit(major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19) ? 0 : 1);
  ' >/dev/null 2>&1
}

find_browser() {
  [ -n "${CHROMIUM-}" ] && return
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" >/dev/null 2>&1 && return
  done
  [ -d /Applications/Chromium.app ] || [ -d '/Applications/Google Chrome.app' ]
}

install_node() {
  say "Node 20.19 or newer is missing; installing one into .tools/node"
  "$python" -m venv --clear "$tools" &&
    "$tools/bin/python" -m pip install --quiet --disable-pip-version-check \
      --require-hashes -r "$top/site/requirements-node.txt" && return
  rm -rf "$tools"
  say "Node could not be installed (above): no dashboard is built, its checks are skipped." \
    "Install Node 20.19 or newer with npm by hand and put it on the PATH."
}

# Ubuntu's package is an empty one that asks for a snap, which containers cannot run.
apt_has_chromium() {
  command -v apt-get >/dev/null 2>&1 &&
    apt-cache policy chromium 2>/dev/null | grep 'Candidate: [0-9]' | grep -qv snap
}

install_chromium() { show_and_run "$@" apt-get install -y --no-install-recommends chromium; }

install_browser() {
  by_hand="The site's browser tests are skipped without Chromium or Chrome: install one by hand."
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || {
      say "$by_hand As root: apt-get install -y chromium"
      return
    }
    as_root=sudo
  fi
  apt_has_chromium || {
    # shellcheck disable=SC2086  # empty for root
    ! command -v apt-get >/dev/null 2>&1 || show_and_run $as_root apt-get update ||
      say "apt-get update failed; trying what is known"
  }
  if apt_has_chromium; then
    # what apt knows may be older than what the mirrors still have
    # shellcheck disable=SC2086  # empty for root
    install_chromium $as_root || { show_and_run $as_root apt-get update && install_chromium $as_root; } ||
      say "$by_hand"
  else
    say "$by_hand"
  fi
}

PATH=$tools/bin:$PATH
new_enough || install_node
[ "${2-}" = --node ] || find_browser || install_browser
