// Our service and the library's simulator, side by side: a random path of the service is played in
// the simulator, and after every event the servers must hold what our nodes hold. What they share
// is the library and the order of events; raft_io, the rebuilding of instances and the reading of
// states are ours alone, and a mistake in them would show here.

#include <algorithm>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/integration/raft/judge/fixture_replay.h"
#include "foretell/integration/raft/judge/schedule.h"
#include "foretell/integration/raft/testing/random_walk.h"
#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/model/typed/fields.h"
#include "gtest/gtest.h"

namespace foretell::integration::raft {
namespace {

using model::EventKind;
using model::NodeId;

struct Walk {
  model::Path path;
  std::vector<model::SystemCut> after;  // Each step.
  bool commits = false;                 // Some entry, after the first.
  bool cuts = false;                    // Some log.
};

State StateOf(const model::SystemCut& cut, NodeId node) {
  return *model::Decode<State>(cut.nodes[node.index()].body);
}

// Whether the simulator can do it: the writes of terms and votes do not fail there.
bool Expressible(const model::PathStep& step) {
  return step.event.kind == EventKind::kRestart ||
         std::all_of(step.choices.begin(), step.choices.end(), [](uint32_t c) { return c == 0; });
}

// Whether it is about entries rather than elections, of which there are more than enough.
bool MovesEntries(const model::PathStep& step) {
  if (step.event.kind == EventKind::kAction) {
    const Action action = *model::Decode<Action>(step.event.body);
    return std::holds_alternative<Put>(action) || std::holds_alternative<DiskDone>(action);
  }
  if (step.event.kind != EventKind::kDeliver) return false;
  const Message message = *model::Decode<Message>(step.event.body);
  return std::holds_alternative<AppendEntries>(message) ||
         std::holds_alternative<AppendEntriesResult>(message);
}

Walk WalkAtRandom(const model::Service& service, unsigned seed, size_t steps_max) {
  std::mt19937 random(seed);
  model::PlainSystem system(service, model::InitialCut(service));
  Walk walk;
  while (walk.path.size() < steps_max) {
    std::vector<model::PathStep> steps;
    std::vector<model::PathStep> preferred;
    for (const model::PathStep& step : system.Enabled()) {
      if (!Expressible(step)) continue;
      steps.push_back(step);
      if (MovesEntries(step)) preferred.push_back(step);
    }
    if (steps.empty()) break;
    if (!preferred.empty() && random() % 2 == 0) steps = std::move(preferred);
    const model::PathStep step = steps[random() % steps.size()];
    EXPECT_TRUE(system.Apply(step).ok());
    walk.path.push_back(step);
    walk.after.push_back(system.state());
    if (system.state().nodes[step.node.index()].status == model::NodeStatus::kUp) {
      const State state = StateOf(system.state(), step.node);
      walk.commits = walk.commits || state.commit > 1;
      for (const Operation& operation : state.pending) {
        walk.cuts = walk.cuts || operation.kind == Operation::Kind::kTruncate;
      }
    }
    // The library did what it must not; nothing of that node can be compared.
    if (system.state().nodes[step.node.index()].status == model::NodeStatus::kFailed) break;
  }
  return walk;
}

std::string Show(const std::vector<Entry>& log) {
  std::string text = "[";
  for (const Entry& entry : log) absl::StrAppend(&text, " ", entry.term, ":", entry.data);
  return text + " ]";
}

template <class T>
std::string ShowAll(const std::vector<T>& values) {
  std::string text = "[";
  for (const auto& value : values) absl::StrAppend(&text, " ", static_cast<uint64_t>(value));
  return text + " ]";
}

// One line per field, the same for both.
std::string Show(const FixtureServer& s) {
  return absl::StrCat("role ", static_cast<int>(s.role), "\nterm ", s.term, "\nvote ", s.vote,
                      "\nlog ", Show(s.log), "\ncommit ", s.commit, "\napplied ", s.applied,
                      "\nstored ", s.stored, "\nleader ", s.leader, "\nvotes ", ShowAll(s.votes),
                      "\nmatch ", ShowAll(s.match), "\nnext ", ShowAll(s.next), "\npipelining ",
                      ShowAll(s.pipelining), "\nheard ", ShowAll(s.heard), "\nled ", s.led,
                      "\ndisk ", Show(s.disk), "\ndisk term ", s.disk_term, "\ndisk vote ",
                      s.disk_vote, "\n");
}

FixtureServer ViewOf(const State& s) {
  const auto id = [](const std::optional<NodeId>& node) { return node ? node->value() + 1 : 0; };
  FixtureServer view;
  view.role = static_cast<FixtureRole>(s.role);
  view.term = view.disk_term = s.term;
  view.vote = view.disk_vote = id(s.vote);
  view.log = s.log;
  view.commit = s.commit;
  view.applied = s.applied;
  view.stored = s.stored;
  view.leader = id(s.leader);
  if (s.role == Role::kCandidate) {
    for (uint32_t i = 0; i < 3; ++i) view.votes.push_back(s.votes.contains(NodeId(i)));
  }
  for (const Progress& progress : s.progress) {
    view.match.push_back(progress.match);
    view.next.push_back(progress.next);
    view.pipelining.push_back(progress.mode == ProgressMode::kPipeline);
    view.heard.push_back(progress.heard);
  }
  view.led = s.led;
  view.disk = s.disk.Expand(s.log);
  return view;
}

std::string Told(const Schedule& schedule, size_t steps) {
  std::string text;
  for (size_t i = 0; i < steps; ++i) absl::StrAppend(&text, i + 1, ". ", Text(schedule[i]), "\n");
  return text;
}

// Returns the number of steps that were compared.
size_t Compare(const Walk& walk) {
  const absl::StatusOr<Schedule> schedule = ScheduleOf(walk.path);
  EXPECT_TRUE(schedule.ok()) << schedule.status();
  FixtureReplay replay(3, *schedule);
  while (!replay.done()) {
    const model::SystemCut& cut = walk.after[replay.at()];
    const model::NodeStatus status = cut.nodes[walk.path[replay.at()].node.index()].status;
    if (status == model::NodeStatus::kFailed) break;
    const absl::Status next = replay.Next();
    EXPECT_TRUE(next.ok()) << next << "\n" << Told(*schedule, replay.at());
    if (!next.ok()) return replay.at();
    for (unsigned i = 0; i < 3; ++i) {
      if (cut.nodes[i].status != model::NodeStatus::kUp) continue;
      const std::string ours = Show(ViewOf(StateOf(cut, NodeId(i))));
      const std::string theirs = Show(replay.Look(i));
      EXPECT_EQ(ours, theirs) << "server " << i + 1 << " after\n" << Told(*schedule, replay.at());
      if (ours != theirs) return replay.at();
    }
  }
  return replay.at();
}

void CompareMany(const NodeOptions& options, model::NetworkKind network, unsigned first_seed) {
  const model::System system = testing::MakeCluster({.node = options, .network = network});
  size_t compared = 0;
  size_t commits = 0;
  size_t cuts = 0;
  for (unsigned seed = first_seed; seed < first_seed + 200 && !::testing::Test::HasFailure();
       ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    const Walk walk = WalkAtRandom(*system.service, seed, /*steps_max=*/80);
    compared += Compare(walk);
    commits += walk.commits;
    cuts += walk.cuts;
  }
  // What was compared is worth it.
  EXPECT_GT(compared, 5000u);
  EXPECT_GT(commits, 50u);
  EXPECT_GT(cuts, 0u);
}

TEST(DifferentialTest, DatagramsWithoutCrashes) {
  CompareMany({{.timeouts = 2, .heartbeats = 3, .contact_checks = 1, .puts = 2}, 0, 0},
              model::NetworkKind::kDatagrams, 1);
}

TEST(DifferentialTest, StreamsWithoutCrashes) {
  CompareMany({{.timeouts = 2, .heartbeats = 3, .contact_checks = 1, .puts = 2}, 0, 1},
              model::NetworkKind::kStreams, 1001);
}

TEST(DifferentialTest, CrashesAndRestarts) {
  CompareMany({{.timeouts = 3, .heartbeats = 2, .puts = 2}, 2, 0}, model::NetworkKind::kDatagrams,
              2001);
}

TEST(DifferentialTest, WritesThatFail) {
  CompareMany({{.timeouts = 2, .heartbeats = 2, .puts = 2, .failures = 2}, 0, 0},
              model::NetworkKind::kDatagrams, 3001);
}

}  // namespace
}  // namespace foretell::integration::raft
