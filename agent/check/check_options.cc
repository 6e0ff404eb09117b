#include "foretell/agent/check/check_options.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "foretell/agent/check/weights.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/formats/formats.h"
#include "foretell/model/event_kind.h"
#include "foretell/model/nearest_name.h"

namespace foretell::agent {
namespace {

using predictors::Engine;
using predictors::EngineOption;

template <auto Member>
absl::Status ReadText(const std::string& value, CheckRequest& request) {
  request.*Member = value;
  return absl::OkStatus();
}

template <auto Member>
absl::Status ReadEngineText(const std::string& value, CheckRequest& request) {
  request.options.*Member = value;
  return absl::OkStatus();
}

template <class T, class To>
absl::Status Store(const absl::StatusOr<T>& read, To& to) {
  if (read.ok()) to = static_cast<To>(*read);
  return read.status();
}

absl::Status ReadBudget(const std::string& value, CheckRequest& request) {
  return Store(ParseDuration(value), request.bounds.time);
}
absl::Status ReadSteps(const std::string& value, CheckRequest& request) {
  return Store(ParseCount(value), request.bounds.steps);
}
absl::Status ReadMemory(const std::string& value, CheckRequest& request) {
  return Store(ParseSize(value), request.bounds.bytes);
}

absl::Status ReadDepth(const std::string& value, CheckRequest& request) {
  const auto depth = ParseCount(value);
  if (!depth.ok()) return depth.status();
  request.options.depth_max = static_cast<uint32_t>(std::min<uint64_t>(*depth, UINT32_MAX));
  return absl::OkStatus();
}

absl::Status ReadThreads(const std::string& value, CheckRequest& request) {
  constexpr uint64_t kThreadsMax = 1024;
  const auto threads = ParseCount(value);
  if (threads.ok() && *threads > kThreadsMax) {
    return absl::InvalidArgumentError(absl::StrCat(*threads, ", the most is ", kThreadsMax));
  }
  return Store(threads, request.options.threads);
}

// One of two words.
template <class E>
absl::Status Choose(const char* kind, const std::string& value, std::pair<const char*, E> one,
                    std::pair<const char*, E> other, E& to) {
  if (value != one.first && value != other.first) {
    return model::UnknownName(kind, value, {one.first, other.first});
  }
  to = value == one.first ? one.second : other.second;
  return absl::OkStatus();
}

absl::Status ReadOrder(const std::string& value, CheckRequest& request) {
  using search::Order;
  return Choose("order", value, {"bfs", Order::kBreadthFirst}, {"dfs", Order::kDepthFirst},
                request.options.order);
}
absl::Status ReadAssertions(const std::string& value, CheckRequest& request) {
  using lmc::Assertions;
  return Choose("treatment of assertions", value, {"discard", Assertions::kDiscard},
                {"verify", Assertions::kVerify}, request.options.assertions);
}
absl::Status ReadDependency(const std::string& value, CheckRequest& request) {
  using dir::DependencyMode;
  return Choose("dependency", value, {"exact", DependencyMode::kExact},
                {"conservative", DependencyMode::kConservative}, request.options.dependency);
}

absl::Status ReadJson(const std::string& value, CheckRequest& request) {
  request.outputs[kJsonFlag] = value;
  return absl::OkStatus();
}
absl::Status SetAllInvariants(const std::string&, CheckRequest& request) {
  request.options.all_invariants = true;
  return absl::OkStatus();
}
absl::Status SetKeepAuxiliary(const std::string&, CheckRequest& request) {
  request.options.keep_auxiliary = true;
  return absl::OkStatus();
}
absl::Status ReadSymmetry(const std::string& value, CheckRequest& request) {
  request.options.symmetry = value;
  return absl::OkStatus();
}
absl::Status SetNoSymmetry(const std::string&, CheckRequest& request) {
  return ReadSymmetry("", request);
}
absl::Status SetNoMinimise(const std::string&, CheckRequest& request) {
  request.options.minimise = false;
  return absl::OkStatus();
}
absl::Status SetRequireComplete(const std::string&, CheckRequest& request) {
  request.require_complete = true;
  return absl::OkStatus();
}
absl::Status SetRequireCoverage(const std::string&, CheckRequest& request) {
  request.require_coverage = true;
  return absl::OkStatus();
}

// Settings become part of the scenario, with which they travel into results.
void AddSetting(const std::string& setting, CheckRequest& request) {
  absl::StrAppend(&request.scenario, ",", setting);
}

absl::Status ReadParameters(const std::string& value, CheckRequest& request) {
  AddSetting(value, request);
  return absl::OkStatus();
}
absl::Status ReadDuplicates(const std::string& value, CheckRequest& request) {
  AddSetting(absl::StrCat("duplicates=", value), request);
  return absl::OkStatus();
}

// "1" is meant for every node, "0=1" for one.
template <size_t fault>
absl::Status ReadFaults(const std::string& value, CheckRequest& request) {
  for (const std::string& part : std::vector<std::string>(absl::StrSplit(value, ','))) {
    const std::pair<std::string, std::string> sides = absl::StrSplit(part, absl::MaxSplits('=', 1));
    const bool all = part.find('=') == std::string::npos;
    AddSetting(all ? absl::StrCat(model::kFaults[fault].used, "=", part)
                   : absl::StrCat(model::kFaults[fault].used, "[", sides.first, "]=", sides.second),
               request);
  }
  return absl::OkStatus();
}

template <size_t fault>
CheckOption FaultOption() {
  const model::FaultKindInfo& info = model::kFaults[fault];
  return {.flag = absl::StrCat("--", info.used),
          .metavar = "[NODE=]N",
          .help = absl::StrCat("Allow up to N ", info.many, " at NODE, or at every node"),
          .read = ReadFaults<fault>,
          .may_be_empty = false,
          .finds = false,
          .repeats = true};
}

template <size_t... faults>
std::vector<CheckOption> FaultOptions(std::index_sequence<faults...>) {
  return {FaultOption<faults>()...};
}

std::vector<CheckOption> SettingOptions() {
  std::vector<CheckOption> options =
      FaultOptions(std::make_index_sequence<std::size(model::kFaults)>());
  options.insert(options.begin(), {.flag = "--param",
                                   .metavar = "NAME=N",
                                   .help = "Set a number of the service; `foretell services` lists "
                                           "them",
                                   .read = ReadParameters,
                                   .may_be_empty = false,
                                   .finds = false,
                                   .repeats = true});
  options.push_back({.flag = "--duplicates",
                     .metavar = "N",
                     .help = "Let a datagram arrive up to N times more than once",
                     .read = ReadDuplicates,
                     .may_be_empty = false,
                     .finds = false});
  return options;
}

std::vector<CheckOption> StartOptions() {
  return {{.flag = "--scenario",
           .metavar = "NAME",
           .help = "Where to start; default: the service's first. Settings may\n"
                   "follow: NAME,nodes=5,crashes[0]=1",
           .read = ReadText<&CheckRequest::scenario>},
          {.flag = "--bug",
           .metavar = "NAME",
           .help = "Plant this bug",
           .read = ReadText<&CheckRequest::bug>},
          {.flag = "--from",
           .metavar = "FILE[#N]",
           .help = "Start from a recorded cut instead: a bundle, or an archive's\n"
                   "last snapshot, or its snapshot N; scenario and bug are the record's.\n"
                   "With --property, all cuts of an archive are judged",
           .read = ReadText<&CheckRequest::from>},
          {.flag = "--force",
           .help = "With --from: also what another version of the service's code has recorded;\n"
                   "does the code of today still break from there?",
           // Of how the start is read, and of no request.
           .read = [](const std::string&, CheckRequest&) { return absl::OkStatus(); }},
          {.flag = "--engine",
           .metavar = "NAME",
           .help = "Engine; the default is $DEFAULT$LIST",
           .read = ReadText<&CheckRequest::engine>}};
}

std::vector<CheckOption> BoundOptions() {
  return {{.flag = "--budget",
           .metavar = "TIME",
           .help = "Time to spend: 500ms, 10s, 2m, 1h; default 60s",
           .read = ReadBudget},
          {.flag = "--steps",
           .metavar = "N",
           .help = "Steps to spend; makes a bounded check repeatable",
           .read = ReadSteps},
          {.flag = "--depth",
           .metavar = "N",
           .help = "Follow paths of at most N steps; not $OTHERS",
           .read = ReadDepth,
           .kind = EngineOption::kDepth},
          {.flag = "--memory",
           .metavar = "SIZE",
           .help = "Memory to hold: 512MiB, 4GiB, 2GB; default 4GiB",
           .read = ReadMemory}};
}

// An empty value of --components or --journal is an error: whoever writes --journal "$FILE" and has
// no FILE would get no journal.
std::vector<CheckOption> EngineRows() {
  return {{.flag = "--order",
           .metavar = "ORDER",
           .help = "bfs (shortest paths) or dfs; $TAKERS",
           .read = ReadOrder,
           .kind = EngineOption::kOrder},
          {.flag = "--no-minimise",
           .metavar = "",
           .help = "Tell node states apart that nothing can tell apart; to compare.\n"
                   "$Takers",
           .read = SetNoMinimise,
           .kind = EngineOption::kMinimise},
          {.flag = "--assertions",
           .metavar = "HOW",
           .help = "What to make of a broken local assertion, $TAKERS:\n"
                   "verify that it is real (default) or discard the state",
           .read = ReadAssertions,
           .kind = EngineOption::kAssertions},
          {.flag = "--threads",
           .metavar = "N",
           .help = "Threads of $TAKERS; default 2",
           .read = ReadThreads,
           .kind = EngineOption::kThreads},
          {.flag = "--symmetry",
           .metavar = "CLASSES",
           .help = "Nodes that are interchangeable, like 2-4/5,6; default: as the service\n"
                   "says. Checked, and refused if they are not. $Takers",
           .read = ReadSymmetry,
           .kind = EngineOption::kSymmetry,
           .may_be_empty = false},
          {.flag = "--no-symmetry",
           .metavar = "",
           .help = "No nodes are taken for interchangeable; to compare",
           .read = SetNoSymmetry,
           .kind = EngineOption::kSymmetry},
          {.flag = "--components",
           .metavar = "GROUPS",
           .help = "$Takers: which nodes belong together, like 0,1/2-5, or\n"
                   "components of components, like (0/1)/(2-3/4,5); default: as the\n"
                   "scenario says, else every node on its own",
           .read = ReadEngineText<&predictors::EngineOptions::components>,
           .kind = EngineOption::kComponents,
           .may_be_empty = false},
          {.flag = "--dependency",
           .metavar = "MODE",
           .help = "$Takers: exact (default), or conservative: any two events of a node",
           .read = ReadDependency,
           .kind = EngineOption::kDependency},
          {.flag = "--journal",
           .metavar = "FILE",
           .help = "$Takers: keep results here (of further spaces of a recorded cut\n"
                   "in FILE.2, ...); the same command goes on with them if it was killed.\n"
                   "A power failure can cost the last 200 ms, or MiB",
           .read = ReadEngineText<&predictors::EngineOptions::journal>,
           .kind = EngineOption::kJournal,
           .may_be_empty = false}};
}

absl::Status ReadCountOn(const std::string& value, CheckRequest& request) {
  using model::CountOn;
  return Choose("value", value, {"calls", CountOn::kCalls}, {"helpful", CountOn::kHelpful},
                request.options.count_on);
}
absl::Status ReadLoss(const std::string& value, CheckRequest& request) {
  using search::Loss;
  return Choose("loss", value, {"any", Loss::kAny}, {"none", Loss::kNone}, request.options.loss);
}
absl::Status ReadFairness(const std::string& value, CheckRequest& request) {
  using model::Fairness;
  std::vector<std::string> names;
  for (const Fairness fairness : {Fairness::kWeak, Fairness::kStrong, Fairness::kFairLoss}) {
    names.push_back(model::FairnessName(fairness));
    if (value != names.back()) continue;
    request.options.fairness = fairness;
    return absl::OkStatus();
  }
  return model::UnknownName("fairness", value, names);
}
absl::Status ReadSeed(const std::string& value, CheckRequest& request) {
  return Store(ParseCount(value), request.options.seed);
}

absl::Status ReadWalkWeights(const std::string& value, CheckRequest& request) {
  return ReadWeights(value, request.options.weights);
}

std::vector<CheckOption> LivenessRows() {
  return {{.flag = "--property",
           .metavar = "NAME",
           .help = "Ask about a liveness predicate instead (`foretell services` marks\n"
                   "them eventually): can it be lost for ever? $Takers",
           .read = ReadEngineText<&predictors::EngineOptions::property>,
           .kind = EngineOption::kProperty,
           .may_be_empty = false},
          {.flag = "--count-on",
           .metavar = "WHAT",
           .help = "With --property: recovery may count on calls (default), or only on\n"
                   "what is helpful by itself: deliveries, timers, restarts",
           .read = ReadCountOn,
           .kind = EngineOption::kProperty},
          {.flag = "--loss",
           .metavar = "WHAT",
           .help = "With --property, datagrams: any can be lost (default), or none",
           .read = ReadLoss,
           .kind = EngineOption::kProperty},
          {.flag = "--fairness",
           .metavar = "KIND",
           .help = "With --property: can it also stay away for ever, although what stays\n"
                   "possible happens (weak), or what is possible again and again does\n"
                   "(strong), or as weak, but that datagrams arrive only if they are sent\n"
                   "again and again (fair-loss)? Default: not asked",
           .read = ReadFairness,
           .kind = EngineOption::kProperty,
           .may_be_empty = false},
          {.flag = "--weights",
           .metavar = "KIND=N,...|FILE",
           .help = "With --property: how random walks choose; default call=40,\n"
                   "deliver=8,restart=8,timer=1; a FILE has what nodes counted, by the\n"
                   "command `events` of their client ports. No verdict depends on it",
           .read = ReadWalkWeights,
           .kind = EngineOption::kProperty},
          {.flag = "--seed",
           .metavar = "N",
           .help = "With --property: of random walks; default 1",
           .read = ReadSeed,
           .kind = EngineOption::kProperty}};
}

// One row per format of the table.
std::vector<CheckOption> FormatOptions() {
  std::vector<CheckOption> rows;
  for (const ResultFormat& format : ResultFormats()) {
    const auto read = [flag = format.flag](const std::string& value, CheckRequest& request) {
      request.outputs[flag] = value;
      return absl::OkStatus();
    };
    rows.push_back({.flag = format.flag,
                    .metavar = format.metavar,
                    .help = format.help,
                    .read = read,
                    .may_be_empty = false,
                    .finds = false});
  }
  return rows;
}

std::vector<CheckOption> ResultOptions() {
  return {{.flag = "--all-invariants",
           .metavar = "",
           .help = "Go on after a violation until every invariant is decided",
           .read = SetAllInvariants},
          {.flag = "--keep-auxiliary",
           .metavar = "",
           .help = "Tell states apart by their auxiliary parts, too; to compare",
           .read = SetKeepAuxiliary},
          {.flag = "--require-complete",
           .metavar = "",
           .help = "Exit 3 unless the whole space was covered",
           .read = SetRequireComplete,
           .finds = false},
          {.flag = "--require-coverage",
           .metavar = "",
           .help = "Exit 4 unless every handler ran, at every node, every invariant\n"
                   "saw some node, every goal was reached and every `stable` was kept",
           .read = SetRequireCoverage,
           .finds = false},
          {.flag = kJsonFlag,
           .metavar = "FILE",
           .help = "Write the result as JSON to FILE, - for standard output",
           .read = ReadJson,
           .finds = false},
          {.flag = "--source",
           .metavar = "FILE",
           .help = "The service's source, for --sarif and --github to point to",
           .read = ReadText<&CheckRequest::source>,
           .finds = false}};
}

// "engine dir", "engines global and por".
std::string EngineWords(std::vector<std::string> names) {
  if (names.empty()) return "engine of this build";
  const std::string last = std::move(names.back());
  names.pop_back();
  if (names.empty()) return "engine " + last;
  return absl::StrCat("engines ", absl::StrJoin(names, ", "), " and ", last);
}

}  // namespace

const std::vector<CheckOption>& CheckOptions() {
  static const std::vector<CheckOption> kOptions = [] {
    std::vector<CheckOption> all;
    for (const auto& part : {StartOptions(), SettingOptions(), BoundOptions(), EngineRows(),
                             LivenessRows(), ResultOptions(), FormatOptions()}) {
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }();
  return kOptions;
}

bool Takes(const Engine& engine, const CheckOption& option) {
  return !option.kind || engine.accepts.contains(*option.kind);
}

std::vector<std::string> EnginesTaking(const CheckOption& option, bool takes,
                                       const std::vector<Engine>& engines) {
  std::vector<std::string> names;
  for (const Engine& engine : engines) {
    if (Takes(engine, option) == takes) names.push_back(engine.name);
  }
  return names;
}

std::string HelpOf(const CheckOption& option, const std::vector<Engine>& engines) {
  const std::string takers = EngineWords(EnginesTaking(option, true, engines));
  std::string list;
  for (const Engine& engine : engines) {
    absl::StrAppend(&list, "\n  ", engine.name, ": ", engine.text);
  }
  return absl::StrReplaceAll(option.help,
                             {{"$TAKERS", takers},
                              {"$Takers", "E" + takers.substr(1)},
                              {"$OTHERS", EngineWords(EnginesTaking(option, false, engines))},
                              {"$DEFAULT", engines.empty() ? "" : engines.front().name},
                              {"$LIST", list}});
}

}  // namespace foretell::agent
