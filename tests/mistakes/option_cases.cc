#include "foretell/tests/mistakes/run_case.h"
#include "foretell/tests/mistakes/ticker.h"

namespace foretell::mistakes {
namespace {

// As many nodes as one likes.
struct Sized : Ticker {
  uint32_t nodes = 2;
  bool streams = false;
  uint32_t node_count() const { return nodes; }
  Network network() const {
    return {.kind = streams ? NetworkKind::kStreams : NetworkKind::kDatagrams};
  }
};

Family<Sized> SizedFamily() {
  return Family<Sized>({
      .name = "ticker",
      .text = "Ticks.",
      .scenarios = {{"start", "From the beginning."},
                    {"on-streams", "Over streams.", [](Sized& sized) { sized.streams = true; }},
                    {"backwards", "Node 1 begins.", {}, {Act(1)}},
                    {"far-away", "Node 7 begins.", {}, {Act(7)}}},
      .bugs = {{"silent", "Nobody is told.", [](Sized&) {},
                [](const Sized&, const std::string& scenario) {
                  return scenario == "start" ? "streams" : "";
                }}},
      .parameters = {{"nodes", "How many there are.", &Sized::nodes, 0, 5}},
  });
}

std::function<std::string(const std::string&)> With(CheckOptions options) {
  return [options](const std::string& engine) { return TextOf(SizedFamily(), engine, options); };
}

RunCase Refused(std::string name, std::string written, std::string read, CheckOptions options) {
  return {std::move(name), std::move(written), std::move(read), "", With(std::move(options))};
}

// Of a family that says of itself what it cannot mean.
RunCase Meant(std::string name, std::string written, std::string read,
              const Family<Sized>& family) {
  return {std::move(name), std::move(written), std::move(read), "",
          [family](const std::string& engine) { return TextOf(family, engine); }};
}

std::vector<RunCase> FamilyCases() {
  return {
      Meant("ScenarioTwice", "Two scenarios of one name.", "two scenarios are called start",
            Family<Sized>({.scenarios = {{"start", "Two nodes."}, {"start", "Two more."}}})),
      Meant("ScenarioComma", "A scenario whose name looks like settings.",
            "a scenario cannot be called 'start,nodes=3': no comma, =, [ or space",
            Family<Sized>({.scenarios = {{"start,nodes=3", "Three nodes."}}})),
      Meant("BugNameless", "A bug without a name.", "a bug has no name",
            Family<Sized>(
                {.bugs = {{"", "Nodes say nothing.", [](Sized& sized) { sized.nodes = 1; }}}})),
      Meant("RangeReversed", "A range from the most to the least.",
            "parameter nodes is 2 by default, which is not from 5 to 1",
            Family<Sized>({.parameters = {{"nodes", "How many there are.", &Sized::nodes, 5, 1}}})),
      Meant("DefaultOutside", "A default that is not in the range.",
            "parameter nodes is 2 by default, which is not from 3 to 5",
            Family<Sized>({.parameters = {{"nodes", "How many there are.", &Sized::nodes, 3, 5}}})),
      Meant("ParameterFault", "A parameter with the name of a fault.",
            "a parameter cannot be called crashes, which sets what may go wrong",
            Family<Sized>({.parameters = {{"crashes", "How often.", &Sized::nodes, 0, 5}}})),
      Meant("LiveNowhere", "A live scenario that is not there.",
            "unknown live scenario 'life': known: start",
            Family<Sized>({.scenarios = {{"start", "Two nodes."}}, .live = "life"})),
  };
}

}  // namespace

std::vector<RunCase> OptionCases() {
  std::vector<RunCase> cases = {
      Refused("Scenario", "A scenario that is misspelt.",
              "unknown scenario 'strat': did you mean 'start'? known: start, on-streams, "
              "backwards, far-away",
              {.scenario = "strat"}),
      Refused("Bug", "A bug that is misspelt.",
              "unknown bug 'silnet': did you mean 'silent'? known: silent", {.bug = "silnet"}),
      Refused("BugLacks", "A bug in a scenario in which it cannot show.",
              "bug silent needs streams, which scenario start does not have", {.bug = "silent"}),
      {"Engine", "An engine that is misspelt.",
       "unknown engine 'globl': did you mean 'global'? known: ", "",
       [](const std::string&) { return TextOf(SizedFamily(), "globl"); }},
      Refused("Parameter", "A parameter that is misspelt.",
              "unknown parameter 'node': did you mean 'nodes'? known: nodes, crashes, breaks, "
              "duplicates",
              {.scenario = "start,node=3"}),
      Refused("Fault", "A fault that is misspelt.",
              "unknown parameter 'crashs': did you mean 'crashes'? known: nodes, crashes, breaks, "
              "duplicates",
              {.scenario = "start,crashs=1"}),
      Refused("ParameterRange", "A parameter out of its range.", "nodes=6: must be from 0 to 5",
              {.scenario = "start,nodes=6"}),
      Refused("ParameterWord", "A parameter that is no number.",
              "'nodes=two': a setting is NAME=NUMBER", {.scenario = "start,nodes=two"}),
      Refused("ParameterTwice", "A parameter that is set twice.", "nodes is set twice",
              {.scenario = "start,nodes=2,nodes=3"}),
      Refused("NoNodes", "A system without nodes.",
              "a system has at least one node: node_count() is 0", {.scenario = "start,nodes=0"}),
      Refused("CrashesNowhere", "Crashes of a node that is not there.",
              "crashes[2]=1: there is no node 2, nodes are 0 to 1",
              {.scenario = "start,crashes[2]=1"}),
      Refused("CrashesTooMany", "More crashes than anybody can count.",
              "crashes=300: must be from 0 to 255", {.scenario = "start,crashes=300"}),
      Refused("Duplicates", "Duplicates on streams.",
              "duplicates=1: messages go over streams, which do not duplicate",
              {.scenario = "on-streams,duplicates=1"}),
      Refused("Script", "A scenario that begins with what cannot happen.",
              "script step 1 of 1: nothing to do at node 1", {.scenario = "backwards"}),
      Refused("ScriptNowhere", "A scenario that begins where there is no node.",
              "script step 1 of 1: there is no node 7, nodes are 0 to 1", {.scenario = "far-away"}),
  };
  for (RunCase& one : FamilyCases()) cases.push_back(std::move(one));
  return cases;
}

}  // namespace foretell::mistakes
