#!/usr/bin/env bash
# Has promptfoo itself validate what `export promptfoo` writes, and compares what its provider `echo` answers
# with what `show` and `render` print. Needs node, npm and python3; writes below the folder that is named and
# nowhere else.
#
#     run.sh PROGRAM FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1")
mkdir -p "$2"
cd "$2"

command -v npm > /dev/null || {
  apt-get update -q > /dev/null
  apt-get install -y -q nodejs npm > /dev/null
}
export npm_config_cache=$PWD/npm PROMPTFOO_CONFIG_DIR=$PWD/config PROMPTFOO_LOG_DIR=$PWD/logs
export PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 NODE_NO_WARNINGS=1
trap '[ $? = 0 ] || tail -n 30 npm.log promptfoo.log >&2' EXIT
: > promptfoo.log
wanted=(promptfoo@0.121.20)
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || wanted+=(node@22)
[ -x node_modules/.bin/promptfoo ] ||
  npm install --no-audit --no-fund --no-save "${wanted[@]}" > npm.log 2>&1
export PATH=$PWD/node_modules/.bin:$PATH

for workspace in "$here/../../workspace-example" "$here/odd"; do
  # A fixed clock, so that the prompts are the same in both.
  clock=(--now 2026-06-19T02:30:00Z --local-timezone UTC)
  "$program" export promptfoo "$workspace" "${clock[@]}" > promptfooconfig.json 2> notes.log
  promptfoo validate -c promptfooconfig.json 2>> promptfoo.log
  promptfoo eval -c promptfooconfig.json --no-cache --no-table --no-progress-bar \
    -o answers.json >> promptfoo.log 2>&1
  python3 "$here/compare.py" "$program" "$workspace" answers.json "${clock[@]}"
done
