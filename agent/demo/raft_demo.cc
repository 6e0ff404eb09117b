#include "foretell/agent/demo/raft_demo.h"

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"

namespace foretell::agent {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// Of the cluster's time. An election takes one to two seconds.
constexpr std::chrono::milliseconds kElection = 30s;
constexpr std::chrono::milliseconds kSettled = 500ms;  // Five heartbeats.
// How late the old leader's answers come. Less than an election timeout, or the third node would
// start an election before they do.
constexpr const char* kSlow = "700ms";
constexpr const char* kMute = "60s";
constexpr std::chrono::milliseconds kAnswer = 2'500ms;
// What an agent may miss of it: a heartbeat.
constexpr std::chrono::milliseconds kStep = 100ms;
// Of a search.
constexpr uint64_t kSteps = 100'000;
// To end a process that was killed.
constexpr std::chrono::minutes kHang{5};

absl::Status Stuck(const std::string& what) {
  return absl::DeadlineExceededError(absl::StrCat("the story is stuck: ", what));
}

}  // namespace

RaftDemo::RaftDemo(RaftDemoOptions options)
    : options_(std::move(options)), client_(3, [this](size_t node, const std::string& line) {
        return cluster_->Ask(node, line);
      }) {}

absl::StatusOr<RaftDemoResult> RaftDemo::Run(RaftDemoOptions options) {
  RaftDemo story(std::move(options));
  using Scene = absl::Status (RaftDemo::*)();
  for (const Scene scene :
       {&RaftDemo::StartAll, &RaftDemo::Elect, &RaftDemo::LeaveTail, &RaftDemo::Succeed,
        &RaftDemo::Meet, &RaftDemo::Write, &RaftDemo::CountVetoes, &RaftDemo::Recover}) {
    if (absl::Status status = (story.*scene)(); !status.ok()) return status;
  }
  return story.result_;
}

absl::Status RaftDemo::StartAll() {
  auto cluster = Cluster::Start({.program = options_.program,
                                 .folder = options_.folder,
                                 .service = "raft",
                                 .seed = options_.seed,
                                 .store = true,
                                 .stepped = true});
  if (!cluster.ok()) return cluster.status();
  cluster_ = *std::move(cluster);
  clock_ = std::make_unique<ClusterClock>(*cluster_);
  if (options_.mode.empty()) return absl::OkStatus();
  std::string invariants = absl::StrCat("[invariants]\ndefault = \"", options_.mode, "\"\n");
  if (!options_.off.empty()) absl::StrAppend(&invariants, options_.off, " = \"off\"\n");
  auto agent = AgentFeed::Start(
      *cluster_, absl::StrCat(PatientPace(kSteps), options_.agent_config, invariants),
      [this](const std::string& name, const nlohmann::json& event) { OnAgentEvent(name, event); });
  if (!agent.ok()) return agent.status();
  agent_ = *std::move(agent);
  return LetLook();
}

absl::Status RaftDemo::Elect() {
  // Another node's time may be up in the moment in which the first leader is there, and then the
  // machine decides who is heard first. After some heartbeats it is settled.
  for (bool settled = false; !settled; settled = client_.Leader() == old_leader_) {
    const auto leader = NextLeader();
    if (!leader.ok()) return leader.status();
    old_leader_ = *leader;
    if (auto status = clock_->Pass(kSettled); !status.ok()) return status;
  }
  if (auto status = client_.Propose(old_leader_, "base", "1"); !status.ok()) return status;
  const auto acknowledged = Acknowledged(old_leader_, "base", "1", kElection);
  if (!acknowledged.ok()) return acknowledged.status();
  if (!*acknowledged) return Stuck("the first write is not acknowledged");
  Tell(absl::StrCat("node ", old_leader_, " leads in term ", term_, ", base=1 is acknowledged"));
  return LetLook();
}

absl::Status RaftDemo::LeaveTail() {
  for (size_t n = 0; n < cluster_->size(); ++n) {
    const std::string others =
        n == old_leader_ ? absl::StrCat((n + 1) % 3, ",", (n + 2) % 3) : absl::StrCat(old_leader_);
    if (auto status = Faults(n, "partition=" + others); !status.ok()) return status;
  }
  if (auto status = client_.Propose(old_leader_, "tail", "1"); !status.ok()) return status;
  Tell(absl::StrCat("node ", old_leader_, " is cut off and takes tail=1, which nobody else gets"));
  return absl::OkStatus();
}

absl::Status RaftDemo::Succeed() {
  const auto leader = NextLeader();
  if (!leader.ok()) return leader.status();
  new_leader_ = *leader;
  third_ = 3 - old_leader_ - new_leader_;
  Tell(absl::StrCat("node ", new_leader_, " leads in term ", term_));
  return LetLook();
}

absl::Status RaftDemo::Meet() {
  const std::string slow = absl::StrCat("partition=", third_, " delay=", kSlow);
  if (auto status = Faults(old_leader_, slow); !status.ok()) return status;
  if (auto status = Faults(new_leader_, "partition="); !status.ok()) return status;
  // A steered node may never hear it.
  const auto hears = PassUntil(kAnswer, [this] {
    const auto role = client_.RoleOf(old_leader_);
    return role.ok() && role->term >= term_;
  });
  if (!hears.ok()) return hears.status();
  Tell(absl::StrCat("node ", old_leader_, " hears the new leader; its answers are slow"));
  // From now on it hears the others, and they do not hear it.
  if (auto status = Faults(new_leader_, absl::StrCat("delay=", kMute)); !status.ok()) return status;
  return LetLook();
}

absl::Status RaftDemo::Write() {
  if (auto status = client_.Propose(new_leader_, "paid", "yes"); !status.ok()) return status;
  const auto acknowledged = Acknowledged(new_leader_, "paid", "yes", kAnswer);
  if (!acknowledged.ok()) return acknowledged.status();
  result_.acknowledged = *acknowledged;
  Tell(absl::StrCat("the client writes paid=yes: ",
                    result_.acknowledged ? "acknowledged" : "not acknowledged"));
  return LetLook();
}

absl::Status RaftDemo::Recover() {
  cluster_->process(new_leader_).Signal(SIGKILL);
  if (auto ended = cluster_->process(new_leader_).Wait(kHang); !ended.ok()) return ended.status();
  for (const size_t node : {old_leader_, third_}) {
    if (auto status = Faults(node, "off"); !status.ok()) return status;
  }
  Tell(absl::StrCat("node ", new_leader_, " dies, the others find together again"));
  const auto leader = NextLeader();
  if (!leader.ok()) return leader.status();
  if (auto status = client_.Propose(*leader, "after", "1"); !status.ok()) return status;
  const auto goes_on = Acknowledged(*leader, "after", "1", kElection);
  if (!goes_on.ok()) return goes_on.status();
  result_.goes_on = *goes_on;
  if (!result_.goes_on) return Stuck("the other two take no write");
  const auto paid = client_.Get(*leader, "paid");
  if (!paid.ok()) return paid.status();
  result_.lost = result_.acknowledged && *paid != "yes";
  Tell(absl::StrCat("after=1 is acknowledged; paid is ", paid->value_or("gone"),
                    result_.lost ? ": AN ACKNOWLEDGED WRITE IS LOST" : ""));
  return absl::OkStatus();
}

absl::Status RaftDemo::Faults(size_t node, const std::string& words) {
  const auto answer = cluster_->Ask(node, "faults " + words);
  if (!answer.ok()) return answer.status();
  if (answer->starts_with("ok")) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("node ", node, ": ", *answer));
}

void RaftDemo::Tell(const std::string& line) {
  if (options_.tell) options_.tell(line);
}

absl::Status RaftDemo::LetLook() { return agent_ ? agent_->AwaitRound() : absl::OkStatus(); }

absl::StatusOr<bool> RaftDemo::PassUntil(std::chrono::milliseconds most,
                                         const std::function<bool()>& holds) {
  for (const auto end = clock_->now() + most; clock_->now() < end;) {
    const auto met = clock_->PassUntil(kStep, holds);
    if (!met.ok() || *met) return met;
    if (auto status = LetLook(); !status.ok()) return status;
  }
  return false;
}

absl::StatusOr<size_t> RaftDemo::NextLeader() {
  std::optional<size_t> leader;
  uint64_t term = 0;
  // The agent does not look: it would see already here what the election can lead to, and prevent
  // it as long as it can, and there would be no story.
  const auto elected = clock_->PassUntil(kElection, [&] {
    leader = client_.Leader();
    const auto role = leader ? client_.RoleOf(*leader) : KvClient::Role{};
    term = role.ok() ? role->term : 0;
    return term > term_;
  });
  if (!elected.ok()) return elected.status();
  if (!*elected) return Stuck(absl::StrCat("nobody is elected after term ", term_));
  term_ = term;
  return *leader;
}

absl::StatusOr<bool> RaftDemo::Acknowledged(size_t node, const std::string& key,
                                            const std::string& value,
                                            std::chrono::milliseconds most) {
  return PassUntil(most, [&] {
    const auto held = client_.Get(node, key);
    return held.ok() && *held == value;
  });
}

void RaftDemo::OnAgentEvent(const std::string& name, const nlohmann::json& event) {
  if (name == "foretell.veto.applied") Tell("VETO: " + event.value("filter", ""));
  if (name != "foretell.violation.predicted") return;
  const std::string invariant = event.value("invariant", "");
  RaftDemoResult::Prediction prediction{event.value("steps_away", 0u), event.value("imagined", ""),
                                        event.value("bundle", "")};
  if (result_.acknowledged || !result_.predicted.emplace(invariant, prediction).second) return;
  Tell(absl::StrCat("PREDICTED: ", invariant, " can be violated in ", prediction.steps_away,
                    " steps if ", prediction.imagined));
}

absl::Status RaftDemo::CountVetoes() {
  const auto vetoed = cluster_->Total("vetoed");
  if (vetoed.ok()) result_.vetoed = *vetoed;
  return vetoed.status();
}

}  // namespace foretell::agent
