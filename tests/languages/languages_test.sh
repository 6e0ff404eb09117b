#!/usr/bin/env bash
# usage: languages_test.sh FORETELL CPP_PLUGIN PLUGIN [TOOL [BUILD...]]
# What every engine says about the lock service of PLUGIN must be what it says about the one in C++, word
# by word. Skipped (77) where TOOL is missing; BUILD makes what PLUGIN loads.
set -euo pipefail
foretell=$1 reference=$2 plugin=$3 tool=${4:-}
if [[ -n $tool ]] && ! command -v "$tool" >/dev/null; then
  echo "skipped: there is no $tool; scripts/setup --languages installs it"
  exit 77
fi
shift $(($# < 4 ? $# : 4))
if (($# > 0)); then "$@"; fi

# Without what differs from run to run, and from plug-in to plug-in.
report() {
  local code=0
  "$foretell" check lock --plugin "$1" "${@:2}" >"$out" 2>&1 || code=$?
  sed -E -e "s/ --plugin ('[^']*'|[^ ]*)/ --plugin #/" \
    -e 's/[0-9.]+ (ms|s|min), [0-9.]+ [KMG]iB peak memory/#/' "$out"
  echo "exit code $code"
}

out=$(mktemp)
trap 'rm -f "$out"' EXIT
for engine in global por lmc lmc-gen consequence 'dir --threads 1'; do
  for bug in '' '--bug forgets-holder'; do
    # shellcheck disable=SC2086  # Several words.
    expected=$(report "$reference" --engine $engine $bug --param clients=3)
    # shellcheck disable=SC2086
    actual=$(report "$plugin" --engine $engine $bug --param clients=3)
    if [[ $actual != "$expected" ]]; then
      echo "engine $engine $bug: expected (<) and actual (>) differ"
      diff <(echo "$expected") <(echo "$actual") || exit 1
    fi
  done
done
echo "every engine says the same"
