#include "foretell/agent/debug/session.h"

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/nearest_name.h"

namespace foretell::agent {
namespace {

constexpr const char* kPath = "path";
constexpr const char* kTwin = "twin";

}  // namespace

absl::StatusOr<Session> Session::Begin(Subject subject, Open open) {
  Session session(std::move(subject), std::move(open));
  const Subject& known = session.subject_;
  const std::string text = known.engine.empty() ? "the start" : absl::StrCat("by ", known.engine);
  if (absl::Status added = session.AddTrack(kPath, text, known.start, known.path); !added.ok()) {
    return added;
  }
  if (known.death == nullptr) return session;
  if (absl::Status added = session.AddDeath(*known.death); !added.ok()) return added;
  return session;
}

// The twin, and the shortest ways to die by other kinds of events.
absl::Status Session::AddDeath(const model::Death& death) {
  const auto add = [this](const std::string& name, const std::string& text, model::Path path) {
    absl::Status added = AddTrack(name, text, subject_.start, std::move(path));
    if (added.ok()) return added;
    return absl::Status(added.code(), absl::StrCat(name, ": ", std::string(added.message())));
  };
  absl::Status status;
  if (!death.twin.empty()) {
    status = add(kTwin, "the same up to the critical step, then a way to live", death.twin);
  }
  for (size_t i = 0; status.ok() && i < death.kinds.size(); ++i) {
    const model::CriticalKind& kind = death.kinds[i];
    if (kind.path == subject_.path) continue;
    status = add(absl::StrCat("kind", i + 1),
                 absl::StrCat("killed by ", kind.event, " at node ", kind.node.value()), kind.path);
  }
  return status;
}

absl::Status Session::AddTrack(const std::string& name, const std::string& text,
                               model::SystemCut start, model::Path path) {
  auto execution = Execution::Make(service(), std::move(start), std::move(path));
  if (!execution.ok()) return execution.status();
  tracks_.push_back({name, text, *std::move(execution)});
  return absl::OkStatus();
}

absl::Status Session::JumpTo(size_t step) {
  if (step > execution().steps()) {
    return absl::OutOfRangeError(absl::StrCat("there is no step ", step, ", ", track().name,
                                              " ends with step ", execution().steps()));
  }
  at_.step = step;
  return absl::OkStatus();
}

absl::StatusOr<size_t> Session::FindTrack(const std::string& name) const {
  std::vector<std::string> names;
  for (size_t i = 0; i < tracks_.size(); ++i) {
    if (tracks_[i].name == name) return i;
    names.push_back(tracks_[i].name);
  }
  return model::UnknownName("execution", name, names);
}

absl::Status Session::Use(const std::string& name) {
  const auto found = FindTrack(name);
  if (!found.ok()) return found.status();
  at_ = {*found, std::min(at_.step, tracks_[*found].execution.steps())};
  return absl::OkStatus();
}

absl::StatusOr<size_t> Session::ReadStep(const std::string& word, const Track& track) const {
  if (word == "start") return 0;
  if (word == "end") return track.execution.steps();
  size_t step = 0;
  if (word == "critical") {
    if (!critical_step()) {
      return absl::FailedPreconditionError(
          "no critical step is known: only a liveness violation has one");
    }
    step = *critical_step();
  } else if (!absl::SimpleAtoi(word, &step)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", word, "' is no step: give a number, start, end, critical, or EXECUTION:STEP"));
  }
  if (step <= track.execution.steps()) return step;
  return absl::OutOfRangeError(absl::StrCat("there is no step ", step, ", ", track.name,
                                            " ends with step ", track.execution.steps()));
}

absl::StatusOr<StepPlace> Session::ReadPlace(const std::string& word) const {
  const size_t colon = word.find(':');
  const bool alone = std::any_of(tracks_.begin(), tracks_.end(),
                                 [&](const Track& track) { return track.name == word; });
  StepPlace place = at_;
  if (alone || colon != std::string::npos) {
    const auto found = FindTrack(word.substr(0, colon));
    if (!found.ok()) return found.status();
    place.track = *found;
  }
  const std::string here = std::to_string(at_.step);
  const auto step = ReadStep(alone                        ? here
                             : colon == std::string::npos ? word
                                                          : word.substr(colon + 1),
                             tracks_[place.track]);
  if (!step.ok()) return step.status();
  place.step = *step;
  return place;
}

absl::StatusOr<uint32_t> Session::ReadNode(const std::string& word) const {
  uint32_t node = 0;
  if (!absl::SimpleAtoi(word, &node)) {
    return absl::InvalidArgumentError(absl::StrCat("'", word, "' is no node: give its number"));
  }
  if (node < node_count()) return node;
  return absl::OutOfRangeError(
      absl::StrCat("there is no node ", node, ", the last is ", node_count() - 1));
}

const model::SystemCut& Session::StateAt(StepPlace place) const {
  return tracks_[place.track].execution.At(place.step);
}

std::string Session::NewName(const std::string& stem) const {
  for (size_t i = 1;; ++i) {
    std::string name = absl::StrCat(stem, "-", i);
    const bool taken = std::any_of(tracks_.begin(), tracks_.end(),
                                   [&](const Track& track) { return track.name == name; });
    if (!taken) return name;
  }
}

absl::Status Session::StartBranch(const model::PathStep& step, const std::string& text) {
  auto execution = this->execution().Branch(at_.step, step);
  if (!execution.ok()) return execution.status();
  if (track().grows && at_.step == this->execution().steps()) {
    tracks_[at_.track].execution = *std::move(execution);
  } else {
    tracks_.push_back({NewName("branch"), text, *std::move(execution), true});
    at_.track = tracks_.size() - 1;
  }
  ++at_.step;
  return absl::OkStatus();
}

absl::Status Session::Take(const model::PathStep& step) {
  if (at_.step < execution().steps() && execution().StepAt(at_.step + 1) == step) {
    ++at_.step;
    return absl::OkStatus();
  }
  return StartBranch(step, absl::StrCat(track().name, " up to step ", at_.step));
}

absl::Status Session::Branch(const model::Path& steps, const std::string& text) {
  const std::string from = absl::StrCat(track().name, " up to step ", at_.step, ", ", text);
  for (const model::PathStep& step : steps) {
    if (absl::Status taken = StartBranch(step, from); !taken.ok()) return taken;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> Session::OpenRecord(const std::string& what) {
  if (open_ == nullptr) return absl::FailedPreconditionError("this session opens no other files");
  auto other = open_(what);
  if (!other.ok()) return other.status();
  const Selection& mine = subject_.selection;
  const Selection& theirs = other->selection;
  // Other settings may mean other handlers: states of the one say nothing about the other.
  if (mine.service != theirs.service || mine.scenario != theirs.scenario ||
      mine.bug != theirs.bug) {
    return absl::FailedPreconditionError(absl::StrCat(
        what, ": is of ", theirs.service, ", scenario ", theirs.scenario,
        theirs.bug.empty() ? "" : ", bug ", theirs.bug, "; this session is of ", mine.service,
        ", scenario ", mine.scenario, mine.bug.empty() ? "" : ", bug ", mine.bug));
  }
  const std::string name = NewName("other");
  absl::Status added = AddTrack(name, what, std::move(other->start), std::move(other->path));
  if (!added.ok()) {
    return absl::Status(added.code(), absl::StrCat(what, ": ", std::string(added.message())));
  }
  return name;
}

std::optional<size_t> Session::critical_step() const {
  if (subject_.death == nullptr || subject_.death->cycle_from > 0) return std::nullopt;
  return subject_.death->critical_step;
}

absl::StatusOr<std::string> Session::ReadPredicate(const std::string& name) const {
  std::vector<std::string> names;
  for (const model::InvariantInfo& info : service().invariants()) {
    if (!info.eventually) continue;
    if (info.name == name || (name.empty() && info.name == subject_.invariant)) return info.name;
    names.push_back(info.name);
  }
  if (name.empty() && names.size() == 1) return names.front();
  if (names.empty()) {
    return absl::FailedPreconditionError("the service has no liveness predicate");
  }
  if (!name.empty()) return model::UnknownName("liveness predicate", name, names);
  return absl::InvalidArgumentError(absl::StrCat(
      "there are ", names.size(), " liveness predicates: name one, such as ", names.front()));
}

}  // namespace foretell::agent
