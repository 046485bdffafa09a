#!/bin/sh
# Makes the clone ready: a virtual environment in .venv with hash-locked requirements, then
# `springbench doctor --install` for the rest (JDK, Maven, wrk). Run again with nothing changed it
# compares one digest and is done.
#
# usage: bench/bootstrap.sh [--dev | --python]
#        --dev adds what the tests need; --python leaves out what only measuring needs
# exit:  0 ready, 2 wrong usage, 3 the host lacks something (the message says what installs it)
set -eu

top=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
venv=$top/.venv
stamp=$venv/springbench.stamp
oldest_minor=11
newest_minor=15
# what checks and runs the workflows; Go's module client verifies them against its checksum database
actionlint=github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
act=github.com/nektos/act@v0.2.89
kubeconform=github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0

say() { printf '%s\n' "springbench: $*"; }
fail() {
  code=$1
  shift
  printf '%s\n' "springbench: $*" >&2
  exit "$code"
}

digest() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

# All that the environment was made from; the place too, because its scripts name it. What follows
# the first [tool.*] of pyproject.toml is settings of linters and tests, which install nothing.
state() {
  {
    "$venv/bin/python" -V
    printf '%s\n' "$top"
    cat "$top/bench/requirements.txt" "$top/bench/requirements-dev.txt" "$0"
    sed '/^\[tool\./,$d' "$top/bench/pyproject.toml"
  } 2>/dev/null | digest
}

up_to_date() {
  [ -x "$venv/bin/springbench" ] && [ "$have_set" = "$1" ] && [ "$have_digest" = "$(state)" ]
}

# New enough, and able to make a virtual environment (Debian packages that part on its own).
usable() {
  "$1" -c "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, $oldest_minor))" \
    >/dev/null 2>&1
}

find_python() {
  if usable python3; then
    command -v python3
    return
  fi
  minor=$newest_minor
  while [ "$minor" -ge "$oldest_minor" ]; do
    for candidate in "python3.$minor" "/usr/bin/python3.$minor" "/usr/local/bin/python3.$minor" \
      "/opt/homebrew/bin/python3.$minor"; do
      if usable "$candidate"; then
        command -v "$candidate"
        return
      fi
    done
    minor=$((minor - 1))
  done
  if usable /usr/bin/python3; then
    echo /usr/bin/python3
    return
  fi
  return 1
}

show_and_run() {
  printf '+ %s\n' "$*"
  "$@"
}

# The minor version of Python 3 that apt would install as the package $1, or nothing.
apt_minor() {
  apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: 3\.\([0-9]*\).*/\1/p'
}

apt_packages() {
  minor=$(apt_minor python3)
  if [ "${minor:-0}" -ge "$oldest_minor" ]; then
    echo python3 python3-venv
    return
  fi
  minor=$newest_minor
  while [ "$minor" -ge "$oldest_minor" ]; do
    if [ -n "$(apt_minor "python3.$minor-venv")" ]; then
      echo "python3.$minor" "python3.$minor-venv"
      return
    fi
    minor=$((minor - 1))
  done
  return 1
}

install_python() {
  by_hand="Python 3.$oldest_minor or newer with its venv module is missing."
  if command -v apt-get >/dev/null 2>&1; then
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
      command -v sudo >/dev/null 2>&1 ||
        fail 3 "$by_hand As root: apt-get update && apt-get install -y python3 python3-venv"
      as_root=sudo
    fi
    # shellcheck disable=SC2086  # empty for root
    show_and_run $as_root apt-get update || say "apt-get update failed; trying what is known"
    packages=$(apt_packages) ||
      fail 3 "$by_hand This host's apt has none; install one and put it on the PATH."
    # shellcheck disable=SC2086  # a list of packages
    show_and_run $as_root apt-get install -y --no-install-recommends $packages ||
      fail 3 "$by_hand apt-get could not install it (above); install it by hand."
  elif command -v brew >/dev/null 2>&1; then
    show_and_run brew install python@3.13 || fail 3 "$by_hand brew could not install it (above)."
  elif [ "$(uname -s)" = Darwin ]; then
    fail 3 "$by_hand Install Homebrew, then: brew install python@3.13"
  else
    fail 3 "$by_hand Install it with the package manager of this host (for example" \
      "'dnf install python3.12', 'apk add python3' or 'pacman -S python') and put it on the PATH."
  fi
}

# --no-deps: the lock is whole, and leaves out what a dependency asks for and nobody here runs (see
# override-dependencies in pyproject.toml).
make_venv() {
  python=$(find_python) || {
    install_python
    python=$(find_python) || fail 3 "No Python 3.$oldest_minor or newer even after installing one."
  }
  requirements=$top/bench/requirements.txt
  [ "$1" = dev ] && requirements=$top/bench/requirements-dev.txt
  say "setting up .venv with $("$python" -V) and $(basename "$requirements")"
  rm -f "$stamp"
  "$python" -m venv --clear "$venv" || fail 3 "$python could not make a virtual environment."
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile \
    --no-deps --require-hashes -r "$requirements" ||
    fail 3 "pip could not install the requirements (above). Is there a network or a mirror?"
  # pip would use one CPU for it, and more than half of it is never imported; some packages have files
  # for newer versions of Python
  "$venv/bin/python" -m compileall -qq -j 0 -x '/(tests|pip|setuptools|mypy|mypyc)/' "$venv/lib" || :
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    --no-deps --no-build-isolation -e "$top/bench" ||
    fail 3 "pip could not install springbench itself (above)."
  printf '%s %s\n' "$1" "$(state)" >"$stamp"
}

# Into .tools/bin, each version once. Without Go the tests say what they skip.
install_go_tool() {
  mark=$top/.tools/bin/$(basename "${1%@*}").version
  [ "$(cat "$mark" 2>/dev/null)" != "$1" ] || return 0
  say "building ${1##*/} with $("$go" version)"
  mkdir -p "$top/.tools/bin"
  if GOBIN=$top/.tools/bin GOFLAGS=-trimpath "$go" install "$1"; then
    printf '%s\n' "$1" >"$mark"
  else
    say "go could not install ${1##*/} (above); its checks are skipped"
  fi
}

install_go_tools() {
  go=$(command -v go || echo /usr/local/go/bin/go)
  if [ -x "$go" ]; then
    install_go_tool "$actionlint"
    install_go_tool "$act"
    install_go_tool "$kubeconform"
  else
    say "Go is not installed: actionlint, act and kubeconform are left out, and their checks skipped"
  fi
}

# An sshd for the tests with a second host: unpacked, so that no daemon is installed or started.
# Without one they say what they skip.
unpack_sshd() {
  sshd=$top/.tools/sshd
  [ ! -x "$sshd/usr/sbin/sshd" ] && [ ! -x /usr/sbin/sshd ] || return 0
  command -v apt-get >/dev/null 2>&1 && command -v dpkg >/dev/null 2>&1 || return 0
  say "unpacking sshd for the tests"
  rm -rf "$sshd" && mkdir -p "$sshd"
  (
    cd "$sshd" && apt-get -q download openssh-server libwrap0 >download.log 2>&1 || exit 1
    for package in *.deb; do dpkg -x "$package" . || exit 1; done
    rm -f ./*.deb
  ) || say "apt-get could not download it (.tools/sshd/download.log); tests with a second host are skipped"
}

set_name=run
case ${1-} in
  '') ;;
  --dev) set_name=dev ;;
  --python) ;;
  *) fail 2 "unknown option '$1'; usage: bench/bootstrap.sh [--dev | --python]" ;;
esac

# The stamp reads "<set> <digest>". What was made for the tests serves a run as well, and stays so.
have_set=
have_digest=
[ ! -r "$stamp" ] || read -r have_set have_digest <"$stamp" || have_set=
[ "$have_set" != dev ] || set_name=dev

up_to_date "$set_name" || make_venv "$set_name"
[ "${1-}" != --python ] || exit 0
[ "${1-}" != --dev ] || sh "$top/site/bootstrap.sh" "$venv/bin/python"
[ "${1-}" != --dev ] || install_go_tools
[ "${1-}" != --dev ] || unpack_sshd
exec "$venv/bin/springbench" doctor --install
