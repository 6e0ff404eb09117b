#include "foretell/tests/live/live_agent.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "foretell/agent/console/files.h"
#include "foretell/agent/demo/hang_watch.h"

namespace foretell::live {
namespace {

using std::chrono_literals::operator""s;

// Rounds follow each other quickly; what a search finds and who answers does not depend on how fast
// the machine is.
constexpr const char* kPace = R"([rounds]
period = "100ms"
budget = "3s"
steps_max = 100000
collect_timeout = "10m"
cpu_max = 64
)";

// What has not come by then does not come. Counted in rounds: the clock knows only the machine.
constexpr int kRoundsMax = 3'000;
// Between two looks at a log.
constexpr std::chrono::milliseconds kLook{20};

bool IsRound(const std::string& line) {
  return line.find("\"event\":\"foretell.round\"") != std::string::npos;
}

}  // namespace

LiveAgent::LiveAgent(const std::string& folder, const std::string& config,
                     const std::vector<std::string>& wrapper)
    : log_path_(folder + "/agent.log") {
  const std::string path = folder + "/agent.toml";
  EXPECT_TRUE(agent::WriteFileAtomically(path, config).ok());
  std::vector<std::string> command = wrapper;
  for (const std::string& word :
       {std::string(FORETELL_PROGRAM), std::string("agent"), std::string("--config"), path,
        std::string("--events"), std::string("-")}) {
    command.push_back(word);
  }
  auto process = agent::ChildProcess::Start(command, log_path_);
  EXPECT_TRUE(process.ok()) << process.status();
  if (process.ok()) process_ = *std::move(process);
}

bool LiveAgent::WaitFor(const Wanted& wanted) {
  agent::HangWatch watch(*process_);
  for (int rounds = 0; rounds < kRoundsMax && !watch.Hangs();) {
    const auto line = process_->ReadLine(1s);
    if (line.ok() && wanted(*line)) return true;
    if (absl::IsOutOfRange(line.status())) return false;
    if (line.ok() && IsRound(*line)) ++rounds;
  }
  return false;
}

bool LiveAgent::WaitForRounds(int count) {
  return WaitFor([&count](const std::string& line) { return IsRound(line) && --count <= 0; });
}

bool LiveAgent::WaitForLog(const std::string& text) {
  return WaitForText([this] { return log(); }, text);
}

bool LiveAgent::WaitForText(const std::function<std::string()>& log, const std::string& text) {
  agent::HangWatch watch(*process_);
  for (int rounds = 0; rounds < kRoundsMax && !watch.Hangs();) {
    if (log().find(text) != std::string::npos) return true;
    const auto line = process_->ReadLine(kLook);
    if (absl::IsOutOfRange(line.status())) break;
    if (line.ok() && IsRound(*line)) ++rounds;
  }
  return log().find(text) != std::string::npos;
}

std::string LiveAgent::log() const {
  std::ifstream file(log_path_);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

LiveCluster::LiveCluster(const LiveOptions& options) {
  auto started = agent::Cluster::Start({.program = FORETELL_PROGRAM,
                                        .folder = folder.path(),
                                        .service = options.service,
                                        .scenario = options.scenario,
                                        .bug = options.bug,
                                        .node_count = options.node_count,
                                        .node_flags = options.node_flags,
                                        .store = options.store,
                                        .agent_tcp = options.agent_tcp,
                                        .stepped = options.stepped});
  EXPECT_TRUE(started.ok()) << started.status();
  if (started.ok()) nodes = *std::move(started);
}

std::string LiveCluster::Config(const std::string& more) const {
  return nodes->AgentConfig(kPace + more);
}

bool LiveCluster::Works(size_t node) {
  const auto answer = nodes->Ask(node, "call Propose");
  return answer.ok() && answer->starts_with("ok");
}

}  // namespace foretell::live
