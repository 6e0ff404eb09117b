#include "foretell/tests/scenarios/verbs.h"

#include <algorithm>

namespace foretell::scenarios {
namespace {

constexpr Verb kVerbs[] = {
    {"services", "the command of that name", RunCommandLine},
    {"check", "the command of that name", RunCommandLine},
    {"explain", "the command of that name", RunCommandLine},
    {"debug", "the command of that name; the lines of input are its script", RunDebugScript},
    {"snapshots", "the command of that name", RunCommandLine},
    {"replay", "the command of that name", RunCommandLine},
    {"foretell", "the program, whatever its arguments", RunCommandLine},
    {"terminal", "what the program's readers see: utf8 or ascii, and how many columns",
     SetTerminal},
    {"write", "a file, from the lines of input; --append to what is there", WriteText},
    {"size", "of a file, in lines and bytes", SizeOfFile},
    {"path", "steps of a service, drawn", WalkPath},
    {"archive", "the state behind the steps, appended to an archive", RecordSnapshot},
    {"bundle", "the steps behind `now` as what was predicted there", RecordBundle},
    {"nodes", "a fresh cluster: datagrams or streams, and how many nodes", BeginCluster},
    {"run", "what happens in that cluster, one line each", RunCluster},
    {"cut", "of that cluster, from the checkpoints of that number", AssembleCut},
    {"simulate", "a cluster in bad weather, driven by a seed, and all of its cuts", Simulate},
};

}  // namespace

std::string Command::Option(const std::string& name) const {
  const auto at = std::find(words.begin(), words.end(), name);
  return at == words.end() || at + 1 == words.end() ? "" : *(at + 1);
}

bool Command::Has(const std::string& name) const {
  return std::find(words.begin(), words.end(), name) != words.end();
}

std::span<const Verb> AllVerbs() { return kVerbs; }

const Verb* FindVerb(const std::string& name) {
  const auto at = std::find_if(std::begin(kVerbs), std::end(kVerbs),
                               [&name](const Verb& verb) { return verb.name == name; });
  return at == std::end(kVerbs) ? nullptr : at;
}

}  // namespace foretell::scenarios
