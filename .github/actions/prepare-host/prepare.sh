#!/usr/bin/env bash
# Sets the kernel's switches that make a CPU's speed depend on its past to a fixed position.
# Each old value goes into a file first, so that restore-host/restore.sh can put it back. A switch
# that this user may not write is named and left: there is no sudo here on purpose.
#
# HOST_ROOT stands before /sys, and STATE is the file with the old values; both are for tests.
set -euo pipefail

root=${HOST_ROOT-}
# not in the job's own folder, which is emptied between jobs
state=${STATE:-$HOME/.local/state/springbench/host.state}

# a job that was killed could not restore; its values are the host's own, not the ones of now
if [ -s "$state" ]; then
  echo "prepare-host: an earlier job did not restore this host; doing so first"
  STATE=$state "${BASH_SOURCE[0]%/*}/../restore-host/restore.sh"
fi
mkdir -p "${state%/*}"
: >"$state"

# turn FILE VALUE MEANING
turn() {
  local file=$root$1 value=$2 meaning=$3 old
  [ -e "$file" ] || return 0
  # a list of choices shows the chosen one in brackets
  old=$(sed 's/.*\[\(.*\)\].*/\1/' "$file" 2>/dev/null) || return 0
  [ "$old" != "$value" ] || return 0
  if [ ! -w "$file" ]; then
    echo "prepare-host: $meaning: left at '$old', $1 is not writable for $(id -un)"
    return 0
  fi
  printf '%s\t%s\n' "$1" "$old" >>"$state"
  if printf '%s\n' "$value" 2>/dev/null >"$file"; then
    echo "prepare-host: $meaning: '$old' is now '$value'"
  else
    # nor would it take the old value back
    sed -i '$d' "$state"
    echo "prepare-host: $meaning: left at '$old', the kernel refuses '$value'"
  fi
}

for governor in "$root"/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor; do
  turn "${governor#"$root"}" performance 'frequency governor'
done
turn /sys/devices/system/cpu/intel_pstate/no_turbo 1 'turbo off (Intel)'
turn /sys/devices/system/cpu/cpufreq/boost 0 'turbo off (AMD)'
turn /sys/devices/system/cpu/smt/control off 'one thread a core'
turn /sys/kernel/mm/transparent_hugepage/enabled madvise 'huge pages only where asked for'
turn /proc/sys/kernel/numa_balancing 0 'no moving of memory between nodes'
