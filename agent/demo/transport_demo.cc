#include "foretell/agent/demo/transport_demo.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"

namespace foretell::agent {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

constexpr size_t kSender = 0;
constexpr size_t kReceiver = 1;
// Of the cluster's time. The sender gives up after five to six and a quarter seconds. Then a packet
// and its Ack take two; when the old SYN is there, two or three of five are through.
constexpr const char* kSlowSyn = "12s";
constexpr const char* kSlow = "1s";
constexpr std::chrono::milliseconds kPatience = 8s;
constexpr std::chrono::milliseconds kOldSyn = 10s;
constexpr std::chrono::milliseconds kBatch = 30s;
constexpr uint32_t kBatches = 3;
// Between two looks of the agent: less than a packet is under way.
constexpr std::chrono::milliseconds kStep = 500ms;
// In which nodes hear of each other, so that cuts are exact.
constexpr std::chrono::milliseconds kGreetings = 100ms;
// Of a search.
constexpr uint64_t kSteps = 1'000'000;

absl::Status Stuck(const std::string& what) {
  return absl::DeadlineExceededError(absl::StrCat("the story is stuck: ", what));
}

}  // namespace

absl::StatusOr<TransportDemoResult> TransportDemo::Run(TransportDemoOptions options) {
  TransportDemo story(std::move(options));
  using Scene = absl::Status (TransportDemo::*)();
  for (const Scene scene :
       {&TransportDemo::StartAll, &TransportDemo::Delay, &TransportDemo::GiveUp,
        &TransportDemo::Overtake, &TransportDemo::Recover, &TransportDemo::CountVetoes}) {
    if (absl::Status status = (story.*scene)(); !status.ok()) return status;
  }
  if (absl::Status status = story.agent_->End(); !status.ok()) return status;
  return story.result_;
}

absl::Status TransportDemo::StartAll() {
  auto cluster = Cluster::Start({.program = options_.program,
                                 .folder = options_.folder,
                                 .service = "transport",
                                 .scenario = kTransportScenario,
                                 .bug = "stale-syn",
                                 .node_count = 2,
                                 .seed = options_.seed,
                                 .stepped = true});
  if (!cluster.ok()) return cluster.status();
  cluster_ = *std::move(cluster);
  clock_ = std::make_unique<ClusterClock>(*cluster_);
  const std::string invariants =
      absl::StrCat("[invariants]\ndefault = \"off\"\nall-acked = \"", options_.mode, "\"\n");
  auto agent = AgentFeed::Start(
      *cluster_, absl::StrCat(PatientPace(kSteps), options_.agent_config, invariants),
      [this](const std::string& name, const nlohmann::json& event) { OnAgentEvent(name, event); });
  if (!agent.ok()) return agent.status();
  agent_ = *std::move(agent);
  if (auto status = clock_->Pass(kGreetings); !status.ok()) return status;
  return agent_->AwaitRound();
}

absl::Status TransportDemo::Delay() {
  if (auto status = Faults(kSender, absl::StrCat("delay=", kSlowSyn)); !status.ok()) return status;
  if (auto status = Faults(kReceiver, absl::StrCat("delay=", kSlow)); !status.ok()) return status;
  Tell(absl::StrCat("the application submits; the SYN 2001 is under way for ", kSlowSyn));
  return Submit();
}

absl::Status TransportDemo::GiveUp() {
  const auto gave_up =
      PassUntil(kPatience, [this] { return Field(kSender, "sender.connection") == "2"; });
  if (!gave_up.ok()) return gave_up.status();
  if (!*gave_up) return Stuck("the sender does not give up");
  Tell("the sender gives up and begins again: SYN 6001, which takes less time");
  if (auto status = Faults(kSender, absl::StrCat("delay=", kSlow)); !status.ok()) return status;
  return agent_->AwaitRound();
}

// A steered receiver never hears of the old connection.
absl::Status TransportDemo::Overtake() {
  const auto overtaken =
      PassUntil(kOldSyn, [this] { return Field(kReceiver, "receiver.connection") == "1"; });
  if (!overtaken.ok()) return overtaken.status();
  Tell(*overtaken ? "the SYN 2001 is there: the receiver takes it for a new connection"
                  : "the SYN 2001 was there, and the receiver did not hear of it");
  return agent_->AwaitRound();
}

absl::Status TransportDemo::Recover() {
  for (const size_t node : {kSender, kReceiver}) {
    if (auto status = Faults(node, "off"); !status.ok()) return status;
  }
  Tell("the network is well again");
  while (true) {
    const auto acked = PassUntil(kBatch, [this] { return AllAcked(); });
    if (!acked.ok()) return acked.status();
    if (!*acked) {
      Tell(absl::StrCat("half a minute later, batch ", result_.submitted, " is NOT delivered"));
      return absl::OkStatus();
    }
    ++result_.delivered;
    Tell(absl::StrCat("batch ", result_.submitted, " is delivered and acknowledged"));
    if (result_.submitted == kBatches) return absl::OkStatus();
    if (auto status = Submit(); !status.ok()) return status;
  }
}

absl::Status TransportDemo::Submit() {
  const auto answer = cluster_->Ask(kSender, "call Submit");
  if (!answer.ok()) return answer.status();
  if (!answer->starts_with("ok")) return Stuck("the sender says " + *answer);
  ++result_.submitted;
  return absl::OkStatus();
}

absl::Status TransportDemo::Faults(size_t node, const std::string& words) {
  const auto answer = cluster_->Ask(node, "faults " + words);
  if (!answer.ok()) return answer.status();
  if (answer->starts_with("ok")) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("node ", node, ": ", *answer));
}

void TransportDemo::Tell(const std::string& line) {
  if (options_.tell) options_.tell(line);
}

absl::StatusOr<bool> TransportDemo::PassUntil(std::chrono::milliseconds most,
                                              const std::function<bool()>& holds) {
  for (const auto end = clock_->now() + most; clock_->now() < end;) {
    const auto met = clock_->PassUntil(kStep, holds);
    if (!met.ok() || *met) return met;
    if (auto status = agent_->AwaitRound(); !status.ok()) return status;
  }
  return false;
}

std::string TransportDemo::Field(size_t node, const std::string& name) {
  const auto lines = cluster_->AskAll(node, "state");
  if (!lines.ok()) return "";
  const std::string start = name + " = ";
  for (const std::string& line : *lines) {
    if (line.starts_with(start)) return line.substr(start.size());
  }
  return "";
}

// The application may submit again then, and only then.
bool TransportDemo::AllAcked() {
  const auto calls = cluster_->AskAll(kSender, "calls");
  return calls.ok() && std::any_of(calls->begin(), calls->end(), [](const std::string& call) {
           return call.find("Submit") != std::string::npos;
         });
}

void TransportDemo::OnAgentEvent(const std::string& name, const nlohmann::json& event) {
  if (name == "foretell.veto.applied") Tell("VETO: " + event.value("filter", ""));
  if (name == "foretell.violation.resolved" && event.value("verdict", "") == "alive") {
    Tell("ALIVE: " + event.value("text", ""));
  }
  if (name != "foretell.violation.predicted" && name != "foretell.violation.happened") return;
  const std::string text = event.value("text", "");
  const std::string bundle = event.value("bundle", "");
  if (event.value("verdict", "") == "dead") {
    result_.dead = true;
    result_.dead_bundle = bundle;
    Tell("DEAD: " + text);
    return;
  }
  Tell("PREDICTED: " + text);
  if (result_.dead || result_.predicted) return;
  result_.predicted = {event.value("steps_away", 0u), text, bundle};
}

absl::Status TransportDemo::CountVetoes() {
  const auto vetoed = cluster_->Total("vetoed");
  if (vetoed.ok()) result_.vetoed = *vetoed;
  return vetoed.status();
}

}  // namespace foretell::agent
