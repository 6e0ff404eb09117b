#include "foretell/agent/demo/agent_feed.h"

#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "foretell/agent/demo/hang_watch.h"

namespace foretell::agent {
namespace {

// For an agent that was told to end.
constexpr std::chrono::minutes kEnd{5};
// Between two looks at whether to stop.
constexpr std::chrono::milliseconds kLook{50};

}  // namespace

std::string PatientPace(uint64_t steps_max, const std::string& more) {
  return absl::StrCat(R"([rounds]
period = "1h"
hint_gap = "1ms"
budget = "10m"
collect_timeout = "10m"
cpu_max = 64
threads = 1
)",
                      "steps_max = ", steps_max, "\n", more, "[veto]\nlease = \"1h\"\n");
}

absl::StatusOr<std::unique_ptr<AgentFeed>> AgentFeed::Start(Cluster& cluster,
                                                            const std::string& config,
                                                            OnEvent on_event) {
  std::unique_ptr<AgentFeed> feed(new AgentFeed(cluster, std::move(on_event)));
  auto process = cluster.StartAgent(config);
  if (!process.ok()) return process.status();
  feed->process_ = *std::move(process);
  return feed;
}

absl::Status AgentFeed::AwaitRound(const std::function<bool()>& stop) {
  const auto number = cluster_.Highest("number");
  if (!number.ok()) return number.status();
  HangWatch watch(*process_);
  bool ended = false;
  for (bool hinted = false; !ended && !(stop && stop());) {
    if (!hinted) hinted = cluster_.Hint();
    const auto line = process_->ReadLine(kLook);
    if (absl::IsOutOfRange(line.status())) {
      return absl::InternalError("the agent ended by itself; see " + cluster_.agent_log());
    }
    if (watch.Hangs()) {
      return absl::DeadlineExceededError("the agent hangs; see " + cluster_.agent_log());
    }
    const Round round = line.ok() ? OnLine(*line) : Round{};
    // It was under way already; or, a new agent's first, it began before the hint came, which
    // another round will answer, in the middle of whatever is next.
    if (round.snapshot <= *number || round.hints <= hints_) continue;
    hints_ = round.hints;
    ended = round.whole;
    hinted = ended;
  }
  return absl::OkStatus();
}

AgentFeed::Round AgentFeed::OnLine(const std::string& line) {
  const auto event = nlohmann::json::parse(line, nullptr, false);
  if (!event.is_object()) return {};
  const std::string name = event.value("event", "");
  on_event_(name, event);
  if (name != "foretell.round") return {};
  size_t reached = 0;
  for (const auto& node : event["nodes"]) {
    const std::string status = node.value("status", "");
    const bool here = status == "ok" || status == "gap";
    if (here && node.value("in_force", false)) ++reached;
  }
  return {.snapshot = event.value("snapshot", uint64_t{0}),
          .hints = event.value("hints", uint64_t{0}),
          .whole = reached >= cluster_.running()};
}

absl::Status AgentFeed::End() {
  process_->Signal(SIGTERM);
  const auto code = process_->Wait(kEnd);
  if (!code.ok()) return code.status();
  if (*code == 0) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("the agent ended with code ", *code));
}

}  // namespace foretell::agent
