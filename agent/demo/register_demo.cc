#include "foretell/agent/demo/register_demo.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"

namespace foretell::agent {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

constexpr size_t kClient = 0;
constexpr size_t kCutOff = 3;
constexpr size_t kNodes = 4;
// Of the cluster's time. What is slow comes long after what is not; the client asks again before.
constexpr const char* kSlow = "300ms";
constexpr std::chrono::milliseconds kStep = 100ms;
constexpr std::chrono::milliseconds kGreetings = 100ms;
constexpr std::chrono::milliseconds kPatience = 10s;
// How long a veto may stand that nobody renews, and how often an application tries again.
constexpr std::chrono::milliseconds kVeto = 60s;
constexpr std::chrono::milliseconds kPause = 1s;
// Of a search.
constexpr uint64_t kSteps = 300'000;

absl::Status Stuck(const std::string& what) {
  return absl::DeadlineExceededError(absl::StrCat("the story is stuck: ", what));
}

}  // namespace

absl::StatusOr<RegisterDemoResult> RegisterDemo::Run(RegisterDemoOptions options) {
  RegisterDemo story(std::move(options));
  using Scene = absl::Status (RegisterDemo::*)();
  for (const Scene scene : {&RegisterDemo::StartAll, &RegisterDemo::CutOff, &RegisterDemo::Hurry,
                            &RegisterDemo::ReadOld, &RegisterDemo::Overwrite,
                            &RegisterDemo::ReadNew}) {
    if (absl::Status status = (story.*scene)(); !status.ok()) return status;
  }
  const auto vetoed = story.cluster_->Total("vetoed");
  if (!vetoed.ok()) return vetoed.status();
  story.result_.vetoed = *vetoed;
  if (absl::Status status = story.agent_->End(); !status.ok()) return status;
  return story.result_;
}

absl::Status RegisterDemo::StartAll() {
  auto cluster = Cluster::Start({.program = options_.program,
                                 .folder = options_.folder,
                                 .service = "register",
                                 .bug = options_.bug,
                                 .node_count = kNodes,
                                 .seed = options_.seed,
                                 .stepped = true});
  if (!cluster.ok()) return cluster.status();
  cluster_ = *std::move(cluster);
  clock_ = std::make_unique<ClusterClock>(*cluster_);
  auto agent = AgentFeed::Start(
      *cluster_,
      absl::StrCat(PatientPace(kSteps), options_.agent_config, "[invariants]\ndefault = \"",
                   options_.mode, "\"\n"),
      [this](const std::string& name, const nlohmann::json& event) { OnAgentEvent(name, event); });
  if (!agent.ok()) return agent.status();
  agent_ = *std::move(agent);
  if (auto status = clock_->Pass(kGreetings); !status.ok()) return status;
  return agent_->AwaitRound();
}

absl::Status RegisterDemo::CutOff() {
  if (auto status = Faults(kCutOff, "partition=0"); !status.ok()) return status;
  return Write("paid");
}

absl::Status RegisterDemo::Hurry() {
  if (auto status = Faults(kCutOff, "off"); !status.ok()) return status;
  for (const size_t node : {1, 2}) {
    if (auto status = Faults(node, absl::StrCat("delay=", kSlow)); !status.ok()) return status;
  }
  Tell("node 3 is back, and does not know of it; the others are slow");
  return agent_->AwaitRound();
}

absl::Status RegisterDemo::ReadOld() { return Read("paid", 0s); }

absl::Status RegisterDemo::Overwrite() {
  for (size_t node = 0; node < kNodes; ++node) {
    if (auto status = Faults(node, "off"); !status.ok()) return status;
  }
  Tell("the network is well again");
  return Write("shipped");
}

absl::Status RegisterDemo::ReadNew() { return Read("shipped", kVeto); }

// A write is over at a majority; then there is time for the others to hear of it, if they can.
absl::Status RegisterDemo::Write(const std::string& value) {
  const auto answer = cluster_->Ask(kClient, absl::StrCat("call BeginWrite(value=", value, ")"));
  if (!answer.ok()) return answer.status();
  if (!answer->starts_with("ok")) return Stuck("the client says " + *answer);
  ++writes_;
  const auto written = PassUntil(kPatience, "write", absl::StrCat("written ", writes_));
  if (!written.ok()) return written.status();
  if (!*written) return Stuck("the write is not over");
  Tell(absl::StrCat("the application writes ", value, ": acknowledged by a majority"));
  return agent_->AwaitRound();
}

absl::StatusOr<bool> RegisterDemo::BeginRead(std::chrono::milliseconds patience) {
  for (const auto end = clock_->now() + patience;;) {
    const auto answer = cluster_->Ask(kClient, "call BeginRead");
    if (!answer.ok()) return answer.status();
    if (answer->starts_with("ok")) return true;
    if (!answer->starts_with("refused")) return Stuck("the client says " + *answer);
    if (clock_->now() >= end) return false;
    if (auto status = clock_->Pass(kPause); !status.ok()) return status;
    if (auto status = agent_->AwaitRound(); !status.ok()) return status;
  }
}

absl::Status RegisterDemo::Read(const std::string& expected, std::chrono::milliseconds patience) {
  const auto begun = BeginRead(patience);
  if (!begun.ok()) return begun.status();
  if (!*begun) {
    ++result_.refused;
    Tell("the application reads: refused");
    return agent_->AwaitRound();
  }
  ++begun_;
  const auto over = PassUntil(kPatience, "read", absl::StrCat("read ", begun_, " "));
  if (!over.ok()) return over.status();
  if (!*over) return Stuck("the read is not over");
  const auto read = cluster_->Ask(kClient, "ask read");
  if (!read.ok()) return read.status();
  ++result_.reads;
  const bool stale = read->find(absl::StrCat("value ", expected, " ")) == std::string::npos;
  result_.stale += stale ? 1 : 0;
  Tell(absl::StrCat("the application reads ", expected, ": ",
                    stale ? absl::StrCat("NO, ", read->substr(3)) : std::string("yes")));
  return agent_->AwaitRound();
}

absl::Status RegisterDemo::Faults(size_t node, const std::string& words) {
  const auto answer = cluster_->Ask(node, "faults " + words);
  if (!answer.ok()) return answer.status();
  if (answer->starts_with("ok")) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("node ", node, ": ", *answer));
}

void RegisterDemo::Tell(const std::string& line) {
  if (options_.tell) options_.tell(line);
}

absl::StatusOr<bool> RegisterDemo::PassUntil(std::chrono::milliseconds most,
                                             const std::string& question,
                                             const std::string& answer) {
  for (const auto end = clock_->now() + most; clock_->now() < end;) {
    const auto met = clock_->PassUntil(kStep, [&] {
      const auto said = cluster_->Ask(kClient, "ask " + question);
      return said.ok() && said->starts_with("ok " + answer);
    });
    if (!met.ok() || *met) return met;
    if (auto status = agent_->AwaitRound(); !status.ok()) return status;
  }
  return false;
}

void RegisterDemo::OnAgentEvent(const std::string& name, const nlohmann::json& event) {
  if (name == "foretell.veto.applied") Tell("VETO: " + event.value("filter", ""));
  if (name != "foretell.violation.predicted") return;
  const std::string text = event.value("text", "");
  Tell("PREDICTED: " + text);
  if (result_.predicted || result_.stale > 0) return;
  result_.predicted = {event.value("steps_away", 0u), text, event.value("bundle", "")};
}

}  // namespace foretell::agent
