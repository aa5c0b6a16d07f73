#!/bin/sh
# The command `twapd` of an installed package, and `./twapd` of a clone, which sets itself up first. Runs under the Node 24 that
# npm installed beside it, whatever Node the system has, if any; and in this very process, so that signals, the terminal and the
# exit code are the program's own.
set -eu

# npm links to this file, by way of .bin; a clone at its top.
file=$0
while [ -L "$file" ]; do
  to=$(readlink "$file")
  case $to in
    /*) file=$to ;;
    *) file=${file%/*}/$to ;;
  esac
done
here=$(CDPATH='' cd -- "${file%/*}" && pwd -P)

if [ -f "$here/run.mjs" ]; then
  # As under `npm run`: in the clone's folder, with the caller's for the paths that are typed.
  INIT_CWD=$PWD
  npm_lifecycle_event=twapd
  export INIT_CWD npm_lifecycle_event
  cd -- "$here/../.."
  set -- "$here/run.mjs" --quiet src/main/cli.ts "$@"
  missing='Node 18 or newer is needed to set up with (the set-up then brings Node 24 by itself)'
else
  set -- "$here/launch-installed.mjs" "$@"
  missing='the Node 24 that belongs to the package is missing; accepted: npm rebuild, after npm install-scripts approve node where npm skipped install scripts; or Node 24 or newer on PATH'
fi

# Where Node itself would look for a package; npm installs it beside this one or below it.
folder=$here
while [ -n "$folder" ]; do
  node=$folder/node_modules/node/bin/node
  if [ -x "$node" ]; then exec "$node" "$@"; fi
  folder=${folder%/*}
done

# Install scripts were off, or nothing is installed yet. The system's Node serves if it is new enough.
if command -v node >/dev/null; then exec node "$@"; fi
echo "twapd: $missing" >&2
exit 1
