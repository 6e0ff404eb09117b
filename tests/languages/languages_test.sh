#!/usr/bin/env bash
# usage: languages_test.sh FORETELL SERVICE CPP_PLUGIN PLUGIN [TOOL [BUILD...]]
# What every engine says about the service of PLUGIN must be what it says about the one in C++, word by
# word. Skipped (77) where TOOL is missing; BUILD makes what PLUGIN loads.
set -euo pipefail
foretell=$1 service=$2 reference=$3 plugin=$4 tool=${5:-}
case $service in
  lock) cases=('--param clients=3' '--param clients=3 --bug forgets-holder') ;;
  decree) cases=('--param proposers=1' '--steps 3000' '--steps 300000 --bug ignores-accepted') ;;
esac
if [[ -n $tool ]] && ! command -v "$tool" >/dev/null; then
  echo "skipped: there is no $tool; scripts/setup --languages installs it"
  exit 77
fi
shift $(($# < 5 ? $# : 5))
if (($# > 0)); then "$@"; fi

# Without what differs from run to run, and from plug-in to plug-in.
report() {
  local code=0
  "$foretell" check "$service" --plugin "$1" "${@:2}" >"$out" 2>&1 || code=$?
  sed -Ez -e 's/\n    / /g' -e "s/ --plugin ('[^']*'|[^ \n]*)/ --plugin #/g" \
    -e 's/[0-9.]+ (ms|s|min), [0-9.]+ [KMG]iB peak memory/#/g' "$out"
  echo "exit code $code"
}

out=$(mktemp)
trap 'rm -f "$out"' EXIT
for engine in global por lmc lmc-gen consequence cover 'dir --threads 1'; do
  for case in "${cases[@]}"; do
    # shellcheck disable=SC2086  # Several words.
    expected=$(report "$reference" --engine $engine $case)
    # shellcheck disable=SC2086
    actual=$(report "$plugin" --engine $engine $case)
    if [[ $actual != "$expected" ]]; then
      echo "engine $engine $case: expected (<) and actual (>) differ"
      diff <(echo "$expected") <(echo "$actual") || exit 1
    fi
  done
done
echo "every engine says the same"
