#include "foretell/tests/live/live_agent.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "foretell/agent/console/files.h"

namespace foretell::live {
namespace {

using std::chrono_literals::operator""s;
constexpr auto kPatience = 60s;  // A hang guard, not an expectation.

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
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    const auto line = process_->ReadLine(1s);
    if (line.ok() && wanted(*line)) return true;
    if (absl::IsOutOfRange(line.status())) return false;
  }
  return false;
}

bool LiveAgent::WaitForRounds(int count) {
  return WaitFor([&count](const std::string& line) { return IsRound(line) && --count <= 0; });
}

bool LiveAgent::WaitForLog(const std::string& text) {
  return WaitFor([&](const std::string&) { return log().find(text) != std::string::npos; });
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
                                        .bug = options.bug,
                                        .node_flags = options.node_flags,
                                        .store = options.store,
                                        .agent_tcp = options.agent_tcp});
  EXPECT_TRUE(started.ok()) << started.status();
  if (started.ok()) nodes = *std::move(started);
}

std::string LiveCluster::Config(const std::string& more) const {
  return nodes->AgentConfig("[rounds]\nperiod = \"100ms\"\nbudget = \"50ms\"\n" + more);
}

bool LiveCluster::Works(size_t node) {
  const auto answer = nodes->Ask(node, "call Propose");
  return answer.ok() && answer->starts_with("ok");
}

}  // namespace foretell::live
