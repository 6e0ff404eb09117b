#include "foretell/agent/demo/demo_run.h"

#include <map>
#include <nlohmann/json.hpp>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/demo/agent_feed.h"
#include "foretell/agent/demo/cluster_clock.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::json;

// In which nodes hear of each other, so that cuts are exact.
constexpr std::chrono::milliseconds kGreetings{100};

// How much a node has decided: parts of its state that are named for it and not empty.
uint64_t ProgressOf(const Json& state) {
  uint64_t count = 0;
  for (const auto& [name, value] : state.items()) {
    const bool decision = name == "chosen" || name.ends_with(".chosen");
    if (decision && value.is_string() && value != "0" && value != "-") ++count;
  }
  return count;
}

LiveView ViewOf(const Json& event, uint32_t calls) {
  LiveView view{.rounds = event.value("round", uint64_t{0}),
                .calls = calls,
                .in_flight = event.value("in_flight", uint64_t{0}),
                .vetoes = event.value("vetoes", uint64_t{0})};
  for (const Json& node : event["nodes"]) view.progress.push_back(ProgressOf(node["state"]));
  return view;
}

}  // namespace

absl::StatusOr<std::unique_ptr<DemoRun>> DemoRun::Start(DemoRunOptions options) {
  std::unique_ptr<DemoRun> run(new DemoRun(std::move(options)));
  run->options_.cluster.stepped = true;
  auto cluster = Cluster::Start(run->options_.cluster);
  if (!cluster.ok()) return cluster.status();
  run->cluster_ = *std::move(cluster);
  return run;
}

absl::StatusOr<DemoRunResult> DemoRun::Run(const Watcher& watcher) {
  auto agent = AgentFeed::Start(
      *cluster_, options_.agent_config,
      [&](const std::string& name, const Json& event) { OnAgentEvent(name, event, watcher); });
  if (!agent.ok()) return agent.status();
  const auto stopped = [&watcher] { return watcher.stop && watcher.stop(); };
  ClusterClock clock(*cluster_);
  absl::Status status = clock.Pass(kGreetings);
  // What happens before the first round would not be seen.
  if (status.ok()) status = (*agent)->AwaitRound(stopped);
  while (status.ok() && result_.calls < options_.calls_max && !stopped()) {
    if (options_.until_violation && result_.violated) break;
    const Workload::Call call = workload_.Next(*cluster_);
    result_.calls = workload_.calls();
    if (call.answer.starts_with("refused")) ++result_.refused;
    if (watcher.called) watcher.called(call);
    status = clock.Pass(workload_.pause());
    Judge();
    if (status.ok()) status = (*agent)->AwaitRound(stopped);
  }
  if (status.ok()) status = CountVetoes();
  if (status.ok()) status = (*agent)->End();
  if (!status.ok()) return status;
  return result_;
}

void DemoRun::OnAgentEvent(const std::string& name, const Json& event, const Watcher& watcher) {
  if (name == "foretell.round") {
    result_.last = ViewOf(event, result_.calls);
    if (watcher.live) watcher.live(result_.last);
  } else if (name == "foretell.violation.predicted" || name == "foretell.violation.happened") {
    SeenPrediction seen{.call = result_.calls,
                        .steps_away = event.value("steps_away", 0u),
                        .latency_millis = event.value("latency_ms", uint64_t{0}),
                        .invariant = event.value("invariant", ""),
                        .imagined = event.value("imagined", ""),
                        .text = event.value("text", ""),
                        .plan = event.value("plan", ""),
                        .bundle = event.value("bundle", "")};
    if (seen.steps_away > 0) result_.predicted.push_back(seen);
    if (watcher.predicted) watcher.predicted(seen);
  } else if (name == "foretell.veto.applied" && watcher.vetoed) {
    watcher.vetoed(event.value("filter", ""));
  }
}

std::optional<BrokenPair> FindBrokenPair(Cluster& cluster, const model::Service& service) {
  // By invariant and node.
  std::map<std::string, std::vector<std::optional<std::string>>> keys;
  for (size_t n = 0; n < cluster.size(); ++n) {
    const auto lines = cluster.AskAll(n, "projections");
    if (!lines.ok()) continue;
    for (const std::string& line : *lines) {
      const size_t space = line.find(' ');
      auto& row = keys[line.substr(0, space)];
      row.resize(cluster.size());
      const std::string hex = line.substr(space + 1);
      if (hex != "none") row[n] = absl::HexStringToBytes(hex);
    }
  }
  const auto invariants = service.invariants();
  for (size_t i = 0; i < invariants.size(); ++i) {
    if (invariants[i].scope != model::Scope::kPair) continue;
    auto nodes = model::FirstBroken(service, i, keys[invariants[i].name]);
    if (!nodes.empty()) return BrokenPair{invariants[i].name, std::move(nodes)};
  }
  return std::nullopt;
}

void DemoRun::Judge() {
  if (result_.violated) return;
  const auto broken = FindBrokenPair(*cluster_, *options_.judge);
  if (!broken) return;
  result_.violated = SeenPrediction{
      .call = result_.calls,
      .invariant = broken->invariant,
      .text = absl::StrCat("nodes ", absl::StrJoin(broken->nodes, " and "), " disagree")};
}

absl::Status DemoRun::CountVetoes() {
  const auto vetoed = cluster_->Total("vetoed");
  if (!vetoed.ok()) return vetoed.status();
  const auto immediate = cluster_->Total("immediate-vetoed");
  if (!immediate.ok()) return immediate.status();
  result_.vetoed = *vetoed;
  result_.immediate_vetoed = *immediate;
  return absl::OkStatus();
}

}  // namespace foretell::agent
