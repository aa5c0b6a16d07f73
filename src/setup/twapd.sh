#!/bin/sh
# The command `twapd` of an installed package. Runs it under the Node 24 that npm installed beside it, whatever Node the system
# has, if any; and in this very process, so that signals, the terminal and the exit code are the program's own.
set -eu

# npm links to this file, by way of .bin.
file=$0
while [ -L "$file" ]; do
  to=$(readlink "$file")
  case $to in
    /*) file=$to ;;
    *) file=${file%/*}/$to ;;
  esac
done
here=$(CDPATH='' cd -- "${file%/*}" && pwd -P)

# Where Node itself would look for a package; npm installs it beside this one or below it.
folder=$here
while [ -n "$folder" ]; do
  node=$folder/node_modules/node/bin/node
  if [ -x "$node" ]; then exec "$node" "$here/launch-installed.mjs" "$@"; fi
  folder=${folder%/*}
done

# Install scripts were off. The system's Node serves if it is new enough.
if command -v node >/dev/null; then exec node "$here/launch-installed.mjs" "$@"; fi
echo "twapd: the Node 24 that belongs to the package is missing; accepted: npm rebuild, after npm install-scripts approve node where npm skipped install scripts; or Node 24 or newer on PATH" >&2
exit 1
