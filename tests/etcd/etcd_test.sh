#!/usr/bin/env bash
# usage: etcd_test.sh FORETELL PLUGINS EXPECTED ARGUMENT...
# `foretell check etcd ARGUMENT...` must break the invariant EXPECTED, and the judge must confirm it, or cover
# everything and find nothing ("complete"). Engine global, for it finds the shortest path, unless ARGUMENT
# says otherwise.
set -euo pipefail
foretell=$1 plugins=$2 expected=$3
shift 3
if [[ ! -e $plugins/libetcd.so ]]; then
  echo "skipped: there is no $plugins/libetcd.so"
  exit 77
fi
export FORETELL_PLUGINS=$plugins
engine=(--engine global)
[[ " $* " != *" --engine "* ]] || engine=()
out=$("$foretell" check etcd "${engine[@]}" --budget 10m "$@") || true
echo "$out"
case $expected in
  complete) grep -q "No violation: the whole space was covered (complete)" <<<"$out" ;;
  *) grep -q "^VIOLATION of $expected, " <<<"$out" &&
    grep -q "Second opinion on $expected: confirmed: " <<<"$out" ;;
esac
