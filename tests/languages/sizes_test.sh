#!/usr/bin/env bash
# usage: sizes_test.sh KITS
# A kit is at most 200 lines, and the lock service made with it at most 100.
set -euo pipefail
cd "$1"
at_most() {
  local lines
  lines=$(wc -l <"$2")
  ((lines <= $1)) || { echo "$2: $lines lines, at most $1" && exit 1; }
}
for kit in c/foretell_kit.h go/foretell/foretell.go rust/foretell.rs python/foretell.py \
  javascript/foretell.mjs; do
  at_most 200 "$kit"
done
for lock in c/lock.c go/lock/lock.go rust/lock.rs python/lock.py javascript/lock.mjs; do
  at_most 100 "$lock"
done
echo "all are small"
