// The command `seek`: runs on from where we are, every way at once, until live or into a violation.

#include <deque>
#include <set>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/debug/commands.h"
#include "foretell/agent/debug/step_text.h"
#include "foretell/model/liveness/recovery.h"
#include "foretell/model/nearest_name.h"
#include "foretell/model/plain/local_step.h"

namespace foretell::agent {
namespace {

constexpr uint64_t kStatesDefault = 10'000;

// What is looked for, and along which steps.
struct Quest {
  std::string predicate;  // Of liveness; empty: any violation.
  uint64_t states_max = kStatesDefault;

  bool Reached(const model::PlainSystem& system) const {
    return predicate.empty() ? !system.Violated().empty() : system.Culprits(predicate).empty();
  }
};

// Recovery may not count on faults, nor on what goes wrong (model/liveness/recovery.h).
bool IsAdverse(const model::Service& service, const model::SystemCut& cut,
               const model::PathStep& step) {
  if (model::HelpOf(service, step.event) == model::Help::kAdverse) return true;
  std::vector<uint32_t> offered;
  return model::RunLocal(service, step.node, cut.nodes[step.node.index()], step.event, step.choices,
                         offered)
             .weight == 0;
}

struct Visit {
  model::SystemCut cut;
  size_t parent = 0;
  model::PathStep step;
};

model::Path PathTo(const std::deque<Visit>& visits, size_t at) {
  model::Path path;
  for (; at != 0; at = visits[at].parent) path.insert(path.begin(), visits[at].step);
  return path;
}

struct Found {
  bool reached = false;
  bool complete = false;  // Not reached: all that can follow was visited.
  model::Path path;
  size_t states = 0;
};

// Breadth first through the plain semantics: slow, obvious, and the shortest way.
absl::StatusOr<Found> Search(const Session& session, const Quest& quest) {
  const model::Service& service = session.service();
  std::deque<Visit> visits = {{session.system().Canonical(), 0, {}}};
  std::set<model::SystemCut> seen = {visits.front().cut};
  for (size_t at = 0; at < visits.size(); ++at) {
    const model::PlainSystem system(service, visits[at].cut);
    if (quest.Reached(system)) return Found{true, false, PathTo(visits, at), seen.size()};
    for (model::PathStep& step : system.Enabled()) {
      if (!quest.predicate.empty() && IsAdverse(service, visits[at].cut, step)) continue;
      model::PlainSystem next = system;
      const auto applied = next.Apply(step);
      if (!applied.ok()) return applied.status();
      model::SystemCut cut = next.Canonical();
      if (!seen.insert(cut).second) continue;
      if (seen.size() > quest.states_max) return Found{.states = quest.states_max};
      visits.push_back({std::move(cut), at, std::move(step)});
    }
  }
  return Found{.complete = true, .states = seen.size()};
}

absl::StatusOr<Quest> ReadQuest(const Session& session, const Words& words) {
  Quest quest;
  if (words[0] != "live" && words[0] != "violation") {
    return model::UnknownName("thing to seek", words[0], {"live", "violation"});
  }
  if (words.size() > 1) {
    const auto states = ParseCount(words[1]);
    if (!states.ok()) return states.status();
    quest.states_max = *states;
  }
  if (words[0] == "violation") return quest;
  auto predicate = session.ReadPredicate(words.size() > 2 ? words[2] : "");
  if (!predicate.ok()) return predicate.status();
  quest.predicate = *std::move(predicate);
  return quest;
}

std::string NotFoundText(const Quest& quest, const Found& found) {
  const std::string what =
      quest.predicate.empty() ? "a violation" : absl::StrCat("where ", quest.predicate, " holds");
  if (!found.complete) {
    return absl::StrCat("no way to ", what, " among the first ", FormatCount(found.states),
                        " states; `seek ", quest.predicate.empty() ? "violation" : "live", " ",
                        found.states * 10, "` looks further");
  }
  return absl::StrCat(
      "there is no way to ", what, ": all ", FormatCount(found.states), " states that can follow",
      quest.predicate.empty() ? "" : " without faults or adverse events", " were visited");
}

}  // namespace

absl::Status RunSeek(Session& session, const Words& words, const Screen& screen) {
  const auto quest = ReadQuest(session, words);
  if (!quest.ok()) return quest.status();
  const auto found = Search(session, *quest);
  if (!found.ok()) return found.status();
  if (!found->reached) {
    screen.Line(NotFoundText(*quest, *found));
    return absl::OkStatus();
  }
  if (found->path.empty()) {
    screen.Line("that is where we are");
    return absl::OkStatus();
  }
  const model::SystemCut before = session.state();
  const std::string how = quest->predicate.empty() ? "then to a violation"
                                                   : absl::StrCat("then until ", quest->predicate);
  if (absl::Status gone = session.Branch(found->path, how); !gone.ok()) return gone;
  screen.Line(absl::StrCat("found in ", found->path.size(),
                           found->path.size() == 1 ? " step" : " steps", ", ",
                           FormatCount(found->states), " states visited"));
  Tell(session, before, screen);
  return absl::OkStatus();
}

}  // namespace foretell::agent
