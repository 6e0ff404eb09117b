#!/usr/bin/env bash
# usage: murder_test.sh FORETELL LOCK_PROCESS [MURDERS]
# Processes of a service are killed at random until MURDERS have died: every report is the same, byte for
# byte, but for time and memory.
set -euo pipefail
foretell=$1 process=$2 wanted=${3:-100}
check=("$foretell" check lock --plugin "exec:$process" --bug forgets-holder --engine global
  --param clients=4)
masked() { sed -E 's/[0-9.]+ (ms|s|min), [0-9.]+ [KMG]iB peak memory/#/'; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# A name of its own, so that nobody else's processes are killed.
check[4]="exec:$folder/lock"
cp "$process" "$folder/lock"
"${check[@]}" >"$folder/first" || (($? == 1))
masked <"$folder/first" >"$folder/expected"
murders=0
while ((murders < wanted)); do
  "${check[@]}" >"$folder/out" &
  program=$!
  while kill -0 $program 2>/dev/null; do
    # Only children of the program: the list may be empty, and so may be the time between two looks.
    for child in $(cat /proc/$program/task/*/children 2>/dev/null || true); do
      if ((RANDOM % 4 == 0)) && kill -KILL "$child" 2>/dev/null; then murders=$((murders + 1)); fi
    done
  done
  wait $program || (($? == 1))
  masked <"$folder/out" | diff "$folder/expected" - || exit 1
done
echo "$murders processes were killed, and every report was the same"
