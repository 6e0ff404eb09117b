#include "foretell/tests/live/guard_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <future>
#include <nlohmann/json.hpp>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "foretell/integration/paxos/log.h"
#include "foretell/model/typed/fields.h"

namespace foretell::live {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;

// It ends when the run lets so much time pass. Only what collides with a state that another node is
// leaving waits by the machine's clock, for half of it.
constexpr milliseconds kHold{1'000};
constexpr minutes kHang{5};
constexpr milliseconds kLook{50};

// Rounds by the machine's clock, often, and nothing in them that takes long: what is tried here is
// the guard and not the search.
constexpr const char* kConfig = R"([rounds]
period = "200ms"
budget = "1s"
steps_max = 200
collect_timeout = "2s"
cpu_max = 64
engines = ["known"]
[invariants]
agreement = "guard"
[veto]
lease = "1s"
hold = "1s"
)";

}  // namespace

GuardRun::GuardRun(uint64_t seed, bool agents)
    : seed_(seed),
      agents_(agents),
      random_(seed),
      cluster_({.bug = "last-response",
                .stepped = true,
                .store = true,
                .node_flags = {"--loss", "0.3", "--delay", "2ms..40ms"}}),
      clock_(*cluster_.nodes),
      earlier_(kNodes),
      seen_(kNodes) {
  for (size_t n = 0; n < kNodes; ++n) {
    const std::string node = absl::StrCat(cluster_.folder.path(), "/node", n, ".sock");
    links_.push_back(std::make_unique<LinkRelay>(absl::StrCat(node, ".link"), node));
  }
  Pass(milliseconds(100));
  if (agents_) StartAgent();
}

GuardRun::~GuardRun() = default;

void GuardRun::Wrong(const std::string& what) {
  result_.wrong.push_back(absl::StrCat("seed ", seed_, ": ", what));
}

void GuardRun::StartAgent() {
  std::string config = cluster_.nodes->AgentConfig(kConfig);
  for (size_t at = 0; (at = config.find(".sock\"", at)) != std::string::npos; at += 6) {
    config.insert(at + 5, ".link");
  }
  agent_ = std::make_unique<LiveAgent>(cluster_.folder.path(), config);
  AwaitGuard();
}

void GuardRun::AwaitGuard() {
  const auto number = cluster_.nodes->Highest("number");
  const bool guarded = number.ok() && agent_->WaitFor([&](const std::string& line) {
    const auto round = nlohmann::json::parse(line, nullptr, false);
    if (!round.is_object() || round.value("event", "") != "foretell.round") return false;
    if (round.value("snapshot", uint64_t{0}) <= *number) return false;
    return std::all_of(round["nodes"].begin(), round["nodes"].end(),
                       [](const auto& node) { return node.value("guarded", false); });
  });
  if (!guarded) return Wrong(absl::StrCat("the agent does not guard again\n", agent_->log()));
  // What was broken before is not the guard's fault.
  guarded_ = false;
  Judge();
  lapses_ = Total("guard-lapsed");
  guarded_ = !result_.violated;
}

// An agent that nobody listens to would end up waiting for somebody.
void GuardRun::Listen() {
  while (agent_ && agent_->process().ReadLine(milliseconds(0)).ok()) {
  }
}

void GuardRun::Pass(milliseconds duration) {
  Listen();
  const absl::Status status = clock_.Pass(duration);
  if (!status.ok()) Wrong(std::string(status.message()));
}

std::string GuardRun::Call(size_t node) {
  auto answer =
      std::async(std::launch::async, [&] { return cluster_.nodes->Ask(node, "call Propose"); });
  // Behind something that nobody answers it waits for time to pass.
  while (answer.wait_for(kLook) != std::future_status::ready) {
    Listen();
    if (!guarded_) Pass(kHold / 10);
  }
  const auto line = answer.get();
  if (line.ok()) return *line;
  Wrong(absl::StrCat("node ", node, ": ", std::string(line.status().message())));
  return "";
}

void GuardRun::Calls(int count) {
  for (int i = 0; i < count; ++i) {
    Call(Pick(kNodes));
    Pass(milliseconds(50 + Pick(250)));
    Judge();
  }
}

GuardRunResult GuardRun::Run(int faults) {
  Calls(4);
  for (int i = 0; i < faults && result_.wrong.empty() && !result_.violated; ++i) {
    const size_t kind = Pick(agents_ ? 9 : 6);
    if (kind < 6) {
      NodeFault();
    } else if (kind < 8) {
      AgentFault();
    } else {
      LinkFault(Pick(2) == 0);
    }
    Calls(4);
    const bool whole = result_.wrong.empty() && !result_.violated;
    if (agents_ && !guarded_ && whole) AwaitGuard();
  }
  result_.asked = Total("guard-asked");
  result_.refused = Total("guard-refused");
  result_.expired = Total("guard-expired");
  result_.lapsed = Total("guard-lapsed");
  return result_;
}

void GuardRun::NodeFault() {
  const size_t node = Pick(kNodes);
  switch (Pick(4)) {
    case 0: return KillNode(node);
    case 1: return StopNode(node);
    case 2: return clock_.Skew(node, milliseconds(Pick(100)) - milliseconds(50));
    default: return Weather(node);
  }
}

// Its new life waits for the agent, if it has been guarded.
void GuardRun::KillNode(size_t node) {
  Call(node);  // It may be in the middle of what that leads to.
  for (const auto& [name, value] : StatsOf(node)) earlier_[node][name] += value;
  cluster_.nodes->process(node).Signal(SIGKILL);
  if (!cluster_.nodes->process(node).Wait(kHang).ok()) return Wrong("a killed node goes on");
  if (const auto status = cluster_.nodes->Restart(node); !status.ok()) {
    return Wrong(std::string(status.message()));
  }
  clock_.Skew(node, -clock_.now());
  if (guarded_ && Pick(2) == 0) AwaitGuard();
}

// The others go on, in a moment without time.
void GuardRun::StopNode(size_t node) {
  cluster_.nodes->process(node).Signal(SIGSTOP);
  for (size_t other = 0; other < kNodes; ++other) {
    if (other == node) continue;
    const auto answer = cluster_.nodes->Ask(other, "call Propose");
    if (!answer.ok()) Wrong("a node waits for another that hangs");
  }
  cluster_.nodes->process(node).Signal(SIGCONT);
}

void GuardRun::Weather(size_t node) {
  static constexpr const char* kWeathers[] = {
      "loss=0.5",    "duplicate=0.5",      "reorder=0.5 delay=0ms..200ms",
      "partition=",  "loss=0 duplicate=0", "partition=0",
      "partition=1", "partition=2"};
  const std::string weather = kWeathers[Pick(std::size(kWeathers))];
  const auto answer = cluster_.nodes->Ask(node, "faults " + weather);
  if (!answer.ok() || answer->starts_with("ok")) return;
  // Nobody is cut off from itself.
  if (!weather.ends_with(absl::StrCat(node))) Wrong(*answer);
}

void GuardRun::AgentFault() {
  guarded_ = false;
  const bool killed = Pick(2) == 0;
  agent_->process().Signal(killed ? SIGKILL : SIGSTOP);
  if (killed) {
    if (!agent_->process().Wait(kHang).ok()) Wrong("a killed agent goes on");
    agent_.reset();
  }
  const uint64_t asked = Total("guard-asked");
  const uint64_t expired = Total("guard-expired");
  LetHoldsEnd();
  // What was asked of one that hangs was never answered.
  if (!killed && Total("guard-asked") > asked && Total("guard-expired") == expired) {
    Wrong("holds that expired are not counted");
  }
  ExpectFailOpen();
  if (killed) return StartAgent();
  agent_->process().Signal(SIGCONT);
  AwaitGuard();
}

void GuardRun::LetHoldsEnd() {
  Pass(milliseconds(300));
  Judge();
  Pass(kHold + milliseconds(100));
  Judge();
}

void GuardRun::ExpectOk(size_t node) {
  const std::string answer = Call(node);
  if (!answer.starts_with("ok")) Wrong(absl::StrCat("without an agent, node ", node, ": ", answer));
}

void GuardRun::ExpectFailOpen() {
  // Those that were not asking when the agent went away find out now, at the cost of a hold.
  for (size_t n = 0; n < kNodes; ++n) {
    ExpectOk(n);
    LetHoldsEnd();
  }
  const uint64_t asked = Total("guard-asked");
  // Nobody who has found out holds anything any more.
  const bool all = Total("guard-lapsed") == lapses_ + kNodes || agent_ == nullptr;
  for (size_t n = 0; n < kNodes && all; ++n) ExpectOk(n);
  Pass(milliseconds(300));
  if (all && Total("guard-asked") != asked) Wrong("without an agent, events are held");
  LetHoldsEnd();
}

void GuardRun::LinkFault(bool cut) {
  guarded_ = false;
  LinkRelay& link = *links_[Pick(kNodes)];
  cut ? link.Cut() : link.Stall();
  LetHoldsEnd();
  Calls(1);
  LetHoldsEnd();
  link.Heal();
  AwaitGuard();
}

void GuardRun::Judge() {
  std::vector<Chosen> chosen(kNodes);
  for (size_t n = 0; n < kNodes; ++n) {
    const auto lines = cluster_.nodes->AskAll(n, "projections");
    if (!lines.ok()) return Wrong(std::string(lines.status().message()));
    for (const std::string& line : *lines) {
      const std::vector<std::string> words = absl::StrSplit(line, ' ');
      if (words[0] != "agreement" || words[1] == "none") continue;
      const auto values =
          model::Decode<integration::paxos::ChosenValues>(absl::HexStringToBytes(words[1]));
      if (values) chosen[n] = Chosen(values->begin(), values->end());
    }
    Remember(n, chosen[n]);
  }
  if (guarded_ && Total("guard-lapsed") != lapses_) {
    // A machine so slow that the agent did not answer while time passed; or a new life that has
    // met no agent within its hold.
    guarded_ = false;
    ++result_.excused;
  }
  result_.judged += guarded_ ? 1 : 0;
  for (size_t n = 1; n < kNodes; ++n) {
    for (size_t m = 0; m < n; ++m) {
      for (const auto& [index, value] : chosen[n]) {
        const auto other = chosen[m].find(index);
        if (other == chosen[m].end() || other->second == value) continue;
        if (guarded_ && !result_.violated)
          Wrong(absl::StrCat("guarded nodes ", m, " and ", n, " disagree on ", index));
        result_.violated = true;
      }
    }
  }
}

// What a node has said to be chosen it says for ever, but for what all have and it has given up.
void GuardRun::Remember(size_t node, const Chosen& now) {
  for (const auto& [index, value] : seen_[node]) {
    const auto still = now.find(index);
    if (still == now.end() ? now.empty() || index > now.begin()->first : still->second != value) {
      Wrong(absl::StrCat("node ", node, " has lost what was chosen for ", index));
    }
  }
  seen_[node] = now;
}

GuardRun::Stats GuardRun::StatsOf(size_t node) {
  Stats stats;
  const auto lines = cluster_.nodes->AskAll(node, "stats");
  if (!lines.ok()) return stats;
  for (const std::string& line : *lines) {
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    uint64_t value = 0;
    if (words.size() == 2 && absl::SimpleAtoi(words[1], &value)) stats[words[0]] = value;
  }
  return stats;
}

uint64_t GuardRun::Total(const std::string& counter) {
  uint64_t total = 0;
  for (size_t n = 0; n < kNodes; ++n) total += StatsOf(n)[counter] + earlier_[n][counter];
  return total;
}

}  // namespace foretell::live
