#!/usr/bin/env bash
# usage: users_test.sh FORETELL LOCK_LIBRARY LOCK_PROCESS SABOTEUR_PROCESS
# What people do with services in other languages besides check, and what does not go well then.
set -euo pipefail
foretell=$1 library=$2 process=exec:$3 saboteur=exec:$4

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
expect() { # TEXT COMMAND...
  local code=0
  "${@:2}" >"$folder/out" 2>&1 || code=$?
  if ! grep -qF -- "$1" "$folder/out"; then
    echo "${*:2}: exit code $code, and not '$1' but"
    tail -n 20 "$folder/out"
    exit 1
  fi
}

for plugin in "$library" "$process"; do
  expect 'all engines agree with the naive search' "$foretell" selftest --plugin "$plugin"
  "$foretell" check lock --plugin "$plugin" --bug forgets-holder --json "$folder/found" \
    >/dev/null || (($? == 1))
  expect 'one-holder' "$foretell" explain "$folder/found" --plugin "$plugin"
  printf 'path\nquit\n' >"$folder/script"
  expect 'one-holder' "$foretell" debug "$folder/found" --plugin "$plugin" --script "$folder/script"
done
expect '1 skipped: more than 100 states' "$foretell" selftest --plugin "$process" --states 100

# One that cannot be loaded does not hide the others.
mkdir "$folder/plugins"
printf '#!/bin/sh\necho boom >&2; exit 3\n' >"$folder/plugins/broken"
chmod +x "$folder/plugins/broken"
expect 'DESCRIBE: the process ended with exit status 3' env FORETELL_PLUGINS="$folder/plugins" "$foretell" services
expect 'multi-decree Paxos' env FORETELL_PLUGINS="$folder/plugins" "$foretell" services

# A handler that never returns, where a request may take an hour.
for way in loop sleep; do
  expect 'Ended by the limit on time' env FORETELL_EXEC_TIME=1h SABOTAGE="5 $way" "$foretell" \
    check lock --plugin "$saboteur" --engine global --budget 10ms
done
echo "as users expect"
