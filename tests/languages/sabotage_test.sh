#!/usr/bin/env bash
# usage: sabotage_test.sh FORETELL SABOTEUR WAY
# A process that goes wrong in one WAY at each op: every time there is a report, and the checker lives.
set -euo pipefail
foretell=$1 saboteur=$2 way=$3
export FORETELL_EXEC_TIME=100ms FORETELL_EXEC_MEMORY=64MiB
# DESCRIBE, OPEN, INITIAL, ACTIONS, RUN, PROJECT, VIOLATES, RENDER, REACHED, KIND
for op in 0 1 3 4 5 7 8 9 12 13; do
  code=0
  text=$(SABOTAGE="$op $way" "$foretell" check lock --plugin "exec:$saboteur" \
    --bug forgets-holder --engine global 2>&1) || code=$?
  if ((code != 1 && code != 2)) || [[ -z $text ]]; then
    echo "op $op, $way: exit code $code"
    echo "$text"
    exit 1
  fi
  # A handler that fails is a finding. Noise may come with the reply that it follows or with the next
  # one, which is a report as well, but not always the same.
  if ((op == 5)) && [[ $way != noise ]] && [[ $text != *'VIOLATION of local-assertions'* ]]; then
    echo "op $op, $way: no finding"
    echo "$text"
    exit 1
  fi
done
echo "10 of 10 reports"
