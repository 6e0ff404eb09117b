#include "foretell/tests/live/commit_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace foretell::live {
namespace {

using std::chrono_literals::operator""ms;

constexpr std::chrono::milliseconds kLook = 20ms;

// "fates = [committed open]".
std::vector<std::string> ParseFates(const std::string& line) {
  const size_t begin = line.find('[');
  const size_t end = line.rfind(']');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return absl::StrSplit(line.substr(begin + 1, end - begin - 1), ' ', absl::SkipEmpty());
}

}  // namespace

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

CommitCluster::CommitCluster(const CommitOptions& options) {
  // Agents find it by the environment, nodes by their flag.
  EXPECT_EQ(setenv("FORETELL_SERVICE_PLUGINS", FORETELL_COMMIT_PLUGIN, /*overwrite=*/1), 0);
  std::vector<std::string> flags = {"--plugin", FORETELL_COMMIT_PLUGIN};
  if (!options.delay.empty()) flags.insert(flags.end(), {"--delay", options.delay});
  auto started = agent::Cluster::Start({.program = FORETELL_PROGRAM,
                                        .folder = folder.path(),
                                        .service = "commit",
                                        .bug = options.bug,
                                        .node_count = 4,
                                        .node_flags = flags,
                                        .store = true,
                                        .stepped = true});
  EXPECT_TRUE(started.ok()) << started.status();
  if (!started.ok()) return;
  nodes = *std::move(started);
  clock = std::make_unique<agent::ClusterClock>(*nodes);
}

std::string CommitCluster::Begin() {
  const auto answer = nodes->Ask(0, "call Begin");
  return answer.ok() ? *answer : std::string(answer.status().message());
}

std::vector<std::vector<std::string>> CommitCluster::Fates() {
  std::vector<std::vector<std::string>> fates(nodes->size());
  for (size_t n = 0; n < nodes->size(); ++n) {
    const auto lines = nodes->AskAll(n, "state");
    EXPECT_TRUE(lines.ok()) << lines.status();
    for (const std::string& line : lines.ok() ? *lines : std::vector<std::string>()) {
      if (line.starts_with("fates")) fates[n] = ParseFates(line);
    }
  }
  return fates;
}

CommitResult RunTransactions(const CommitOptions& options, const std::string& mode,
                             uint32_t transactions, const std::string& veto) {
  CommitResult result;
  CommitCluster cluster(options);
  if (cluster.nodes == nullptr) return result;
  const std::string audit = cluster.folder.path() + "/audit.jsonl";
  auto agent = agent::AgentFeed::Start(
      *cluster.nodes,
      absl::StrCat(agent::PatientPace(kSteps), veto, "[invariants]\natomic = \"", mode,
                   "\"\n[audit]\npath = \"", audit, "\"\n"),
      [&](const std::string& name, const nlohmann::json&) {
        result.predicted += name == "foretell.violation.predicted" ? 1 : 0;
      });
  EXPECT_TRUE(agent.ok()) << agent.status();
  if (!agent.ok()) return result;
  for (uint32_t tx = 0; tx < transactions; ++tx) {
    cluster.Begin();  // Of the next, or nothing if the last is still open.
    for (auto time = 0ms; time < kTransaction; time += kLook) {
      EXPECT_TRUE((*agent)->AwaitRound().ok());
      EXPECT_TRUE(cluster.clock->Pass(kLook).ok());
    }
  }
  const auto fates = cluster.Fates();
  for (size_t tx = 0; tx < transactions; ++tx) {
    std::multiset<std::string> ends;
    for (const auto& node : fates) ends.insert(tx < node.size() ? node[tx] : "open");
    result.committed += ends.count("committed") == fates.size() ? 1 : 0;
    result.split += ends.contains("committed") && ends.contains("aborted") ? 1 : 0;
  }
  result.vetoed = cluster.nodes->Total("vetoed").value_or(0);
  EXPECT_TRUE((*agent)->End().ok());
  result.audit = TextOf(audit);
  return result;
}

}  // namespace foretell::live
