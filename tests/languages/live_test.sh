#!/usr/bin/env bash
# usage: live_test.sh FORETELL PLUGIN
# Three live nodes of the lock service of PLUGIN, of which its planted bug is foreseen, and the command
# that the agent names shows it again.
set -euo pipefail
foretell=$1 plugin=$2

folder=$(mktemp -d)
nodes=()
trap 'kill "${nodes[@]}" 2>/dev/null || true; rm -rf "$folder"' EXIT
mkdir "$folder/bundles"
{
  echo '[service]'
  echo 'name = "lock"'
  echo 'bug = "forgets-holder"'
  for id in 0 1 2; do
    printf '[[nodes]]\nid = %d\naddress = "unix:%s/%d.sock"\n' "$id" "$folder" "$id"
  done
  printf '[rounds]\nbudget = "30s"\ncollect_timeout = "30s"\n'
  printf '[bundles]\npath = "%s/bundles"\n' "$folder"
} >"$folder/agent.toml"
for id in 0 1 2; do
  "$foretell" node --service lock --bug forgets-holder --plugin "$plugin" --id "$id" \
    --agent "unix:$folder/$id.sock" >"$folder/$id.json" &
  nodes+=($!)
done
for id in 0 1 2; do
  while [[ ! -s $folder/$id.json ]] && kill -0 "${nodes[id]}"; do sleep 0.1; done
done
"$foretell" agent --config "$folder/agent.toml" --plugin "$plugin" --rounds 2 2>"$folder/log"
command=$(sed -n 's/.*see it: foretell //p' "$folder/log" | head -n 1)
[[ -n $command ]] || { cat "$folder/log"; exit 1; }
# As a person would paste it.
{ eval "$foretell $command" || (($? == 1)); } | grep -F 'one-holder does not hold'
