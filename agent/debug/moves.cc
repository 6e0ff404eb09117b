// Commands that move along an execution.

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/debug/commands.h"
#include "foretell/agent/debug/step_text.h"
#include "foretell/model/nearest_name.h"

namespace foretell::agent {
namespace {

absl::Status GoTo(Session& session, StepPlace place, const Screen& screen) {
  const model::SystemCut before = session.state();
  if (absl::Status used = session.Use(session.tracks()[place.track].name); !used.ok()) return used;
  if (absl::Status moved = session.JumpTo(place.step); !moved.ok()) return moved;
  Tell(session, before, screen);
  return absl::OkStatus();
}

absl::Status GoTo(Session& session, size_t step, const Screen& screen) {
  return GoTo(session, StepPlace{session.at().track, step}, screen);
}

absl::StatusOr<size_t> CountOf(const Words& words) {
  if (words.empty()) return 1;
  const auto count = ParseCount(words[0]);
  if (!count.ok()) return count.status();
  return *count;
}

absl::Status NoFurther(const Session& session, const char* direction, size_t end) {
  const size_t step = session.at().step;
  if (step == end) {
    return absl::OutOfRangeError(absl::StrCat(
        "step ", step, " is the ", direction[0] == 'l' ? "last" : "first", " of ",
        session.track().name, direction[0] == 'l' ? "; `enabled` lists what could follow" : ""));
  }
  return absl::OutOfRangeError(absl::StrCat("the filter lets no ", direction, " step through than ",
                                            step, "; `filter off` and `node all` take it away"));
}

bool Holds(const Session& session, const std::string& invariant, size_t step) {
  return model::PlainSystem(session.service(), session.execution().At(step))
      .Culprits(invariant)
      .empty();
}

// The name of a safety property, for `run violation`; empty: any.
absl::StatusOr<std::string> ReadSafety(const Session& session, const std::string& name) {
  if (name.empty() || name == model::kLocalAssertions) return name;
  std::vector<std::string> names = {model::kLocalAssertions};
  for (const model::InvariantInfo& info : session.service().invariants()) {
    if (info.name == name && !info.eventually) return name;
    if (!info.eventually) names.push_back(info.name);
  }
  return model::UnknownName("invariant", name, names);
}

// The first step from here on at which something is broken, or the given invariant is.
absl::StatusOr<size_t> ToViolation(const Session& session, const std::string& name) {
  const auto invariant = ReadSafety(session, name);
  if (!invariant.ok()) return invariant.status();
  for (size_t step = session.at().step; step <= session.execution().steps(); ++step) {
    const model::PlainSystem system(session.service(), session.execution().At(step));
    if (invariant->empty() ? !system.Violated().empty() : !Holds(session, *invariant, step)) {
      return step;
    }
  }
  return absl::NotFoundError(absl::StrCat(
      invariant->empty() ? "nothing" : *invariant, " is", invariant->empty() ? "" : " not",
      " broken from step ", session.at().step, " to the end of ", session.track().name));
}

absl::StatusOr<size_t> ToLive(const Session& session, const std::string& name) {
  const auto predicate = session.ReadPredicate(name);
  if (!predicate.ok()) return predicate.status();
  for (size_t step = session.at().step; step <= session.execution().steps(); ++step) {
    if (Holds(session, *predicate, step)) return step;
  }
  return absl::NotFoundError(
      absl::StrCat(*predicate, " does not hold from step ", session.at().step, " to the end of ",
                   session.track().name, "; `seek live` looks for another way"));
}

absl::StatusOr<size_t> ToCritical(const Session& session, const std::string&) {
  const auto place = session.ReadPlace("critical");
  if (!place.ok()) return place.status();
  return place->step;
}

absl::StatusOr<size_t> ToEnd(const Session& session, const std::string&) {
  return session.execution().steps();
}

struct Target {
  const char* name;
  absl::StatusOr<size_t> (*find)(const Session& session, const std::string& name);
  bool takes_name = false;
};
constexpr Target kTargets[] = {{"violation", ToViolation, true},
                               {"critical", ToCritical},
                               {"live", ToLive, true},
                               {"end", ToEnd}};

}  // namespace

absl::Status RunStep(Session& session, const Words& words, const Screen& screen) {
  const auto count = CountOf(words);
  if (!count.ok()) return count.status();
  const auto shown = ShownSteps(session);
  size_t left = *count;
  size_t to = session.at().step;
  for (size_t step = to + 1; step <= session.execution().steps() && left > 0; ++step) {
    if (!shown(step)) continue;
    to = step;
    --left;
  }
  if (to == session.at().step) return NoFurther(session, "later", session.execution().steps());
  return GoTo(session, to, screen);
}

absl::Status RunBack(Session& session, const Words& words, const Screen& screen) {
  const auto count = CountOf(words);
  if (!count.ok()) return count.status();
  const auto shown = ShownSteps(session);
  size_t left = *count;
  size_t to = session.at().step;
  // The start is no step of any node, and always a place to be.
  for (size_t step = to; step > 0 && left > 0; --step) {
    if (step > 1 && !shown(step - 1)) continue;
    to = step - 1;
    --left;
  }
  if (to == session.at().step) return NoFurther(session, "earlier", 0);
  return GoTo(session, to, screen);
}

absl::Status RunJump(Session& session, const Words& words, const Screen& screen) {
  const auto place = session.ReadPlace(words[0]);
  if (!place.ok()) return place.status();
  return GoTo(session, *place, screen);
}

std::vector<std::string> RunTargets(const Session&) {
  std::vector<std::string> names;
  for (const Target& target : kTargets) names.push_back(target.name);
  return names;
}

absl::Status RunTo(Session& session, const Words& words, const Screen& screen) {
  for (const Target& target : kTargets) {
    if (words[0] != target.name) continue;
    if (words.size() > 1 && !target.takes_name) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", words[1], "' means nothing to run ", target.name));
    }
    const auto step = target.find(session, words.size() > 1 ? words[1] : "");
    if (!step.ok()) return step.status();
    return GoTo(session, *step, screen);
  }
  return model::UnknownName("place to run to", words[0], RunTargets(session));
}

absl::Status RunWhere(Session& session, const Words&, const Screen& screen) {
  Tell(session, session.state(), screen);
  return absl::OkStatus();
}

}  // namespace foretell::agent
