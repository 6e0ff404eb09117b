// Cuts of a simulated cluster, which a seed moves, judged by its history.

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "foretell/snapshot/protocol/cut_assembly.h"
#include "foretell/snapshot/testing/cut_judge.h"
#include "foretell/snapshot/testing/gossip.h"
#include "foretell/snapshot/testing/simulated_cluster.h"
#include "foretell/tests/scenarios/verbs.h"

namespace foretell::scenarios {
namespace {

struct Setting {
  snapshot::Gossip gossip{.nodes = 3};
  snapshot::SimulatedCluster::Weather weather;
  uint64_t seed = 1;
  int steps = 100;
};

absl::StatusOr<Setting> SettingOf(const Command& command) {
  constexpr const char* kUsage =
      "usage: simulate datagrams|streams [nodes N] [seed N] [steps N] [burst N] [crashes] [breaks] "
      "[losses] [announces]";
  Setting setting;
  const bool streams = command.Has("streams");
  if (!streams && !command.Has("datagrams")) return absl::InvalidArgumentError(kUsage);
  setting.gossip.kind = streams ? model::NetworkKind::kStreams : model::NetworkKind::kDatagrams;
  const auto number = [&command](const char* name, auto& value) {
    return !command.Has(name) || absl::SimpleAtoi(command.Option(name), &value);
  };
  if (!number("nodes", setting.gossip.nodes) || !number("seed", setting.seed) ||
      !number("steps", setting.steps) || !number("burst", setting.weather.burst_max)) {
    return absl::InvalidArgumentError(kUsage);
  }
  setting.weather.crashes = command.Has("crashes");
  setting.weather.breaks = command.Has("breaks");
  setting.weather.losses = command.Has("losses");
  setting.weather.announces = command.Has("announces");
  return setting;
}

std::string CutText(const model::Service& service, const snapshot::Collection& collection,
                    const snapshot::CutJudge& judge) {
  std::string text = absl::StrCat("cut ", collection.number, ": ");
  const auto cut =
      snapshot::Assemble(service, collection.number, collection.checkpoints, collection.reasons);
  if (!cut.ok()) return absl::StrCat(text, std::string(cut.status().message()), "\n");
  absl::StrAppend(&text, cut->exact ? "exact" : "not exact", ", ", cut->cut.in_flight.size(),
                  " in flight\n");
  for (const std::string& note : cut->notes) absl::StrAppend(&text, "  ", note, "\n");
  const std::string complaint = judge.Complaint(collection, *cut);
  if (!complaint.empty()) absl::StrAppend(&text, "  WRONG: ", complaint, "\n");
  return text;
}

}  // namespace

Reaction Simulate(const Command& command, Stage&) {
  const auto setting = SettingOf(command);
  if (!setting.ok()) return setting.status();
  const auto service = model::MakeService(setting->gossip);
  snapshot::SimulatedCluster cluster(*service, setting->weather, setting->seed);
  cluster.Run(setting->steps);
  const snapshot::CutJudge judge(*service, cluster);
  std::string text = absl::StrCat(cluster.history().size(), " events, ", cluster.rumours().size(),
                                  " messages\n", judge.WrongReceipt());
  for (const snapshot::Collection& collection : cluster.collections()) {
    text += CutText(*service, collection, judge);
  }
  return text;
}

}  // namespace foretell::scenarios
