#!/usr/bin/env bash
# usage: example_test.sh FORETELL BUILD EXAMPLE WORK
# The example works as a program, and what it has saved is there after a restart; its loop is checked as a
# plug-in and is right. With two lines in another order, it is not.
set -euo pipefail
foretell=$1 build=$2 example=$3 work=$4
rm -rf "$work/example"
mkdir -p "$work/example/data"
code=0
"$build" "$example" "$work/example/store" || code=$?
((code == 0)) || exit "$code"
printf 'one\ntwo\n' | "$work/example/store" "$work/example/data" 2>"$work/example/log" >/dev/null
out=$(echo three | "$work/example/store" "$work/example/data" 2>>"$work/example/log")
for node in 1 2 3; do
  grep -qx "node $node: one two three" <<<"$out" || { echo "$out" && exit 1; }
done

cp -r "$example" "$work/example/wrong"
sed -i 's/^\tio.Save(rd.HardState, rd.Entries, rd.Snapshot)$/\tio.SaveHardState(rd.HardState)\n\tio.SaveEntries(rd.Entries)/' \
  "$work/example/wrong/loop.go"
"$build" "$example" "$work/example/libstore.so"
"$build" "$work/example/wrong" "$work/example/wrong.so"
check() { "$foretell" check store --scenario proposal --engine global --plugin "$1" || true; }
check "$work/example/libstore.so" | tee "$work/example/out"
grep -q "No violation: the whole space was covered (complete)" "$work/example/out"
check "$work/example/wrong.so" | tee "$work/example/out"
grep -q "^VIOLATION of restart-works, " "$work/example/out"
grep -q "Second opinion on restart-works: confirmed: " "$work/example/out"
