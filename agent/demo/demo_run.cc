#include "foretell/agent/demo/demo_run.h"

#include <algorithm>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace foretell::agent {
namespace {

using Json = nlohmann::json;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// A loaded machine can take long to start a process; a hang must end.
constexpr std::chrono::seconds kFirstRoundMax{60};

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

absl::StatusOr<std::unique_ptr<Act>> Act::Start(ActOptions options) {
  std::unique_ptr<Act> act(new Act(std::move(options)));
  auto cluster = Cluster::Start(act->options_.cluster);
  if (!cluster.ok()) return cluster.status();
  act->cluster_ = *std::move(cluster);
  auto agent = act->cluster_->StartAgent(act->options_.agent_config);
  if (!agent.ok()) return agent.status();
  act->agent_ = *std::move(agent);
  return act;
}

absl::StatusOr<ActResult> Act::Play(const Watcher& watcher) {
  // The first round shows that the agent is there; what happens before it would not be seen.
  const Clock::time_point deadline = Clock::now() + kFirstRoundMax;
  while (result_.last.rounds == 0 && !(watcher.stop && watcher.stop())) {
    if (Clock::now() >= deadline) {
      return absl::DeadlineExceededError(
          absl::StrCat("the agent has no round yet; see ", options_.cluster.folder, "/agent.log"));
    }
    if (absl::Status status = Listen(Clock::now() + 50ms, watcher); !status.ok()) return status;
  }
  while (result_.calls < options_.calls_max && !(watcher.stop && watcher.stop())) {
    if (options_.until_violation && result_.violated) break;
    const Workload::Call call = workload_.Next(*cluster_);
    result_.calls = workload_.calls();
    if (call.answer.starts_with("refused")) ++result_.refused;
    if (watcher.called) watcher.called(call);
    absl::Status status = Listen(Clock::now() + workload_.pause(), watcher);
    if (!status.ok()) return status;
    Judge();
  }
  if (absl::Status status = Settle(watcher); !status.ok()) return status;
  Judge();
  if (absl::Status status = CountVetoes(); !status.ok()) return status;
  agent_->Signal(SIGTERM);
  const auto code = agent_->Wait(20s);
  if (!code.ok()) return code.status();
  if (*code != 0) return absl::InternalError(absl::StrCat("the agent ended with code ", *code));
  return result_;
}

absl::Status Act::Settle(const Watcher& watcher) {
  const uint64_t target = result_.last.rounds + 2;
  const Clock::time_point deadline = Clock::now() + 30s;
  while (result_.last.rounds < target && Clock::now() < deadline) {
    if (absl::Status status = Listen(Clock::now() + 50ms, watcher); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Act::Listen(Clock::time_point deadline, const Watcher& watcher) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    const auto line = agent_->ReadLine(std::max(left, 0ms));
    if (line.ok()) {
      Hear(*line, watcher);
    } else if (absl::IsDeadlineExceeded(line.status())) {
      return absl::OkStatus();
    } else {
      return absl::InternalError(
          absl::StrCat("the agent ended by itself; see ", options_.cluster.folder, "/agent.log"));
    }
    if (Clock::now() >= deadline) return absl::OkStatus();
  }
}

void Act::Hear(const std::string& line, const Watcher& watcher) {
  const Json event = Json::parse(line, nullptr, false);
  if (!event.is_object()) return;
  const std::string name = event.value("event", "");
  if (name == "foretell.round") {
    result_.last = ViewOf(event, result_.calls);
    if (watcher.live) watcher.live(result_.last);
  } else if (name == "foretell.violation.predicted") {
    Foreseen foreseen{.call = result_.calls,
                      .steps_away = event.value("steps_away", 0u),
                      .latency_millis = event.value("latency_ms", uint64_t{0}),
                      .invariant = event.value("invariant", ""),
                      .imagined = event.value("imagined", ""),
                      .text = event.value("text", ""),
                      .plan = event.value("plan", ""),
                      .bundle = event.value("bundle", "")};
    if (foreseen.steps_away > 0) result_.predicted.push_back(foreseen);
    if (watcher.foreseen) watcher.foreseen(foreseen);
  } else if (name == "foretell.veto.applied" && watcher.vetoed) {
    watcher.vetoed(event.value("filter", ""));
  }
}

void Act::Judge() {
  if (result_.violated) return;
  // By invariant and node. A node that does not answer has nothing to say.
  std::map<std::string, std::vector<std::optional<std::string>>> keys;
  for (size_t n = 0; n < cluster_->size(); ++n) {
    const auto lines = cluster_->AskAll(n, "projections");
    if (!lines.ok()) continue;
    for (const std::string& line : *lines) {
      const size_t space = line.find(' ');
      auto& row = keys[line.substr(0, space)];
      row.resize(cluster_->size());
      const std::string hex = line.substr(space + 1);
      if (hex != "none") row[n] = absl::HexStringToBytes(hex);
    }
  }
  const auto invariants = options_.judge->invariants();
  for (size_t i = 0; i < invariants.size(); ++i) {
    if (invariants[i].scope != model::Scope::kPair) continue;
    const auto nodes = model::FirstBroken(*options_.judge, i, keys[invariants[i].name]);
    if (nodes.empty()) continue;
    result_.violated =
        Foreseen{.call = result_.calls,
                 .invariant = invariants[i].name,
                 .text = absl::StrCat("nodes ", absl::StrJoin(nodes, " and "), " disagree")};
    return;
  }
}

absl::Status Act::CountVetoes() {
  const auto vetoed = cluster_->Total("vetoed");
  if (!vetoed.ok()) return vetoed.status();
  const auto immediate = cluster_->Total("immediate-vetoed");
  if (!immediate.ok()) return immediate.status();
  result_.vetoed = *vetoed;
  result_.immediate_vetoed = *immediate;
  return absl::OkStatus();
}

}  // namespace foretell::agent
