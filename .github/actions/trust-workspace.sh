# shellcheck shell=bash
# Lets git of this process and its children read what this job has checked out, whoever owns it: in a
# job with `container:` that is another user. The job builds and starts what lies there anyway. No
# configuration is written, and no other folder is trusted.

if [ -n "${GITHUB_WORKSPACE-}" ]; then
  # its submodules, too; git before 2.46 takes the second one for a name
  for trusted in "$GITHUB_WORKSPACE" "$GITHUB_WORKSPACE/*"; do
    export "GIT_CONFIG_KEY_${GIT_CONFIG_COUNT:-0}=safe.directory"
    export "GIT_CONFIG_VALUE_${GIT_CONFIG_COUNT:-0}=$trusted"
    export GIT_CONFIG_COUNT=$((${GIT_CONFIG_COUNT:-0} + 1))
  done
  unset trusted
fi
