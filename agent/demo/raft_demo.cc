#include "foretell/agent/demo/raft_demo.h"

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "absl/strings/str_cat.h"

namespace foretell::agent {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

// An election takes one to two seconds, more on a loaded machine; a hang must end.
constexpr std::chrono::milliseconds kElection{30'000};
// How late the old leader's answers come. Less than an election timeout, or the third node would
// start an election before they do.
constexpr const char* kSlow = "700ms";
constexpr const char* kMute = "60s";
constexpr std::chrono::milliseconds kAnswer{2'500};

// The story is over in a second.
constexpr const char* kRounds = R"([rounds]
period = "100ms"
budget = "150ms"
cpu_max = 0.8
)";

absl::Status Stuck(const std::string& what) {
  return absl::DeadlineExceededError(absl::StrCat("the story is stuck: ", what));
}

}  // namespace

RaftStory::RaftStory(RaftStoryOptions options)
    : options_(std::move(options)), client_(3, [this](size_t node, const std::string& line) {
        return cluster_->Ask(node, line);
      }) {}

absl::StatusOr<RaftStoryResult> RaftStory::Play(RaftStoryOptions options) {
  RaftStory story(std::move(options));
  using Scene = absl::Status (RaftStory::*)();
  for (const Scene scene :
       {&RaftStory::StartAll, &RaftStory::Elect, &RaftStory::LeaveTail, &RaftStory::Succeed,
        &RaftStory::Meet, &RaftStory::Write, &RaftStory::CountVetoes, &RaftStory::Recover}) {
    if (absl::Status status = (story.*scene)(); !status.ok()) return status;
  }
  return story.result_;
}

absl::Status RaftStory::StartAll() {
  auto cluster = Cluster::Start({.program = options_.program,
                                 .folder = options_.folder,
                                 .service = "raft",
                                 .seed = options_.seed,
                                 .store = true});
  if (!cluster.ok()) return cluster.status();
  cluster_ = *std::move(cluster);
  if (options_.mode.empty()) return absl::OkStatus();
  std::string invariants = absl::StrCat("[invariants]\ndefault = \"", options_.mode, "\"\n");
  if (!options_.off.empty()) absl::StrAppend(&invariants, options_.off, " = \"off\"\n");
  auto agent = cluster_->StartAgent(absl::StrCat(kRounds, options_.agent_config, invariants));
  if (agent.ok()) agent_ = *std::move(agent);
  return agent.status();
}

absl::Status RaftStory::Elect() {
  const auto leader = client_.WaitForLeader(0, kElection);
  if (!leader) return Stuck("nobody was elected");
  old_leader_ = *leader;
  if (auto status = client_.Put("base", "1", kElection); !status.ok()) return status;
  const auto role = client_.RoleOf(old_leader_);
  if (!role.ok()) return role.status();
  term_ = role->term;
  Tell(absl::StrCat("node ", old_leader_, " leads in term ", term_, ", base=1 is acknowledged"));
  return absl::OkStatus();
}

absl::Status RaftStory::LeaveTail() {
  for (size_t n = 0; n < cluster_->size(); ++n) {
    const std::string others =
        n == old_leader_ ? absl::StrCat((n + 1) % 3, ",", (n + 2) % 3) : absl::StrCat(old_leader_);
    if (auto status = Faults(n, "partition=" + others); !status.ok()) return status;
  }
  if (auto status = client_.Propose(old_leader_, "tail", "1"); !status.ok()) return status;
  Tell(absl::StrCat("node ", old_leader_, " is cut off and takes tail=1, which nobody else gets"));
  return absl::OkStatus();
}

absl::Status RaftStory::Succeed() {
  const auto leader = client_.WaitForLeader(term_, kElection);
  if (!leader) return Stuck("no other node was elected");
  new_leader_ = *leader;
  third_ = 3 - old_leader_ - new_leader_;
  const auto role = client_.RoleOf(new_leader_);
  if (!role.ok()) return role.status();
  term_ = role->term;
  Listen();
  Tell(absl::StrCat("node ", new_leader_, " leads in term ", term_));
  return absl::OkStatus();
}

absl::Status RaftStory::Meet() {
  const std::string slow = absl::StrCat("partition=", third_, " delay=", kSlow);
  if (auto status = Faults(old_leader_, slow); !status.ok()) return status;
  if (auto status = Faults(new_leader_, "partition="); !status.ok()) return status;
  // A steered node may never hear it.
  const Clock::time_point deadline = Clock::now() + kAnswer;
  while (Clock::now() < deadline) {
    const auto role = client_.RoleOf(old_leader_);
    if (role.ok() && role->term >= term_) break;
    std::this_thread::sleep_for(2ms);
  }
  Tell(absl::StrCat("node ", old_leader_, " hears the new leader; its answers are slow"));
  // From now on it hears the others, and they do not hear it.
  return Faults(new_leader_, absl::StrCat("delay=", kMute));
}

absl::Status RaftStory::Write() {
  Listen();
  if (auto status = client_.Propose(new_leader_, "paid", "yes"); !status.ok()) return status;
  result_.acknowledged = client_.WaitAcknowledged(new_leader_, "paid", "yes", kAnswer);
  Tell(absl::StrCat("the client writes paid=yes: ",
                    result_.acknowledged ? "acknowledged" : "not acknowledged"));
  Listen();
  return absl::OkStatus();
}

absl::Status RaftStory::Recover() {
  cluster_->process(new_leader_).Signal(SIGKILL);
  for (const size_t node : {old_leader_, third_}) {
    if (auto status = Faults(node, "off"); !status.ok()) return status;
  }
  Tell(absl::StrCat("node ", new_leader_, " dies, the others find together again"));
  result_.goes_on = client_.Put("after", "1", kElection).ok();
  if (!result_.goes_on) return Stuck("the other two take no write");
  const auto leader = client_.Leader();
  if (!leader) return Stuck("the leader is gone");
  const auto paid = client_.Get(*leader, "paid");
  if (!paid.ok()) return paid.status();
  result_.lost = result_.acknowledged && *paid != "yes";
  Tell(absl::StrCat("after=1 is acknowledged; paid is ", paid->value_or("gone"),
                    result_.lost ? ": AN ACKNOWLEDGED WRITE IS LOST" : ""));
  return absl::OkStatus();
}

absl::Status RaftStory::Faults(size_t node, const std::string& words) {
  const auto answer = cluster_->Ask(node, "faults " + words);
  if (!answer.ok()) return answer.status();
  if (answer->starts_with("ok")) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("node ", node, ": ", *answer));
}

void RaftStory::Tell(const std::string& line) {
  if (options_.tell) options_.tell(line);
}

void RaftStory::Listen() {
  if (!agent_) return;
  while (true) {
    const auto line = agent_->ReadLine(0ms);
    if (!line.ok()) return;
    const auto event = nlohmann::json::parse(*line, nullptr, false);
    if (!event.is_object()) continue;
    const std::string name = event.value("event", "");
    if (name == "foretell.veto.applied") Tell("VETO: " + event.value("filter", ""));
    if (name != "foretell.violation.predicted" || event.value("steps_away", 0u) == 0) continue;
    const std::string invariant = event.value("invariant", "");
    RaftStoryResult::Prediction prediction{event.value("steps_away", 0u),
                                           event.value("imagined", ""), event.value("bundle", "")};
    if (result_.acknowledged || !result_.predicted.emplace(invariant, prediction).second) continue;
    Tell(absl::StrCat("PREDICTED: ", invariant, " can be violated in ", prediction.steps_away,
                      " steps if ", prediction.imagined));
  }
}

absl::Status RaftStory::CountVetoes() {
  const auto vetoed = cluster_->Total("vetoed");
  if (vetoed.ok()) result_.vetoed = *vetoed;
  return vetoed.status();
}

}  // namespace foretell::agent
