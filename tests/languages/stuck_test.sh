#!/usr/bin/env bash
# usage: stuck_test.sh FORETELL KITS WORK
# A handler that never returns, in a library in Go, which has a runtime and signals of its own: node and event
# are named all the same. Skipped (77) where there is no Go.
set -euo pipefail
foretell=$1 kits=$2 work=$3
command -v go >/dev/null || {
  echo "skipped: there is no go; scripts/setup --languages installs it"
  exit 77
}
rm -rf "$work"
mkdir -p "$work"
cp -r "$kits/go/foretell" "$kits/go/lock" "$work"
cd "$work/lock"
sed -i 's/^\t\ts\.holds = true$/\t\tfor {\n\t\t\ts.holds = !s.holds\n\t\t}/' lock.go
grep -q 's.holds = !s.holds' lock.go
go build -buildmode=c-shared -tags foretell_library -o ../stuck.so .
code=0
text=$("$foretell" check lock --plugin ../stuck.so --engine global --budget 100ms 2>&1) || code=$?
echo "$text"
((code == 1))
[[ $text == *"the handler of deliver Grant() from node 0 at node 1 does not return"* ]]
