#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/agent/debug/subject.h"
#include "foretell/agent/execution/execution.h"
#include "foretell/model/service.h"

namespace foretell::agent {

// An execution of a session. Those that were recorded stay as they are; a branch grows at its end.
struct Track {
  std::string name;
  std::string text;  // Where it comes from.
  Execution execution;
  bool grows = false;
};

struct StepPlace {
  size_t track = 0;
  size_t step = 0;
};

// A field that is shown after every move.
struct WatchedField {
  std::optional<uint32_t> node;  // Nothing: of all nodes.
  std::string field;             // Its name, or a dotted prefix of it.
};

// What steps have to look like to be stopped at and listed.
struct StepFilter {
  std::optional<uint32_t> node;
  std::string event;  // A regular expression over events; empty: any.
  std::string state;  // ... and over states.
};

// A debugging session: several executions of one service, and where in one of them somebody is.
// Nothing in here prints.
class Session {
 public:
  // Replays what the subject has: its path, and of a path into death its twin and the other kinds
  // of ways there. `open` loads further ones; may be empty.
  using Open = std::function<absl::StatusOr<Subject>(const std::string& what)>;
  static absl::StatusOr<Session> Begin(Subject subject, Open open);

  const Subject& subject() const { return subject_; }
  const model::Service& service() const { return *subject_.selection.system.service; }
  const std::vector<Track>& tracks() const { return tracks_; }
  const Track& track() const { return tracks_[at_.track]; }
  const Execution& execution() const { return track().execution; }
  StepPlace at() const { return at_; }
  const model::SystemCut& state() const { return execution().At(at_.step); }
  model::PlainSystem system() const { return model::PlainSystem(service(), state()); }
  uint32_t node_count() const { return service().node_count(); }

  // OutOfRange, with both values, if there is no such step.
  absl::Status JumpTo(size_t step);
  // The same step of another execution, or its last if it is shorter.
  absl::Status Use(const std::string& name);
  // "5", "twin", "twin:5", "start", "end", "critical". An execution alone: the step where we are.
  absl::StatusOr<StepPlace> ReadPlace(const std::string& word) const;
  absl::StatusOr<uint32_t> ReadNode(const std::string& word) const;
  absl::StatusOr<size_t> FindTrack(const std::string& name) const;
  const model::SystemCut& StateAt(StepPlace place) const;

  // Takes `step` from where we are: along the execution if that goes the same way, else on a
  // branch. FailedPrecondition if it is not possible.
  absl::Status Take(const model::PathStep& step);
  // A branch from where we are along `steps`, and goes to its end.
  absl::Status Branch(const model::Path& steps, const std::string& text);
  // Adds the execution of another record of the same service; its name is returned.
  absl::StatusOr<std::string> OpenRecord(const std::string& what);

  // The step that made the path deadly; nothing if there is none or it is not known.
  std::optional<size_t> critical_step() const;
  // The liveness predicate that `name` is, or the only one if it is empty.
  absl::StatusOr<std::string> ReadPredicate(const std::string& name) const;

  StepFilter filter;
  std::vector<WatchedField> watches;
  bool done = false;

 private:
  explicit Session(Subject subject, Open open)
      : subject_(std::move(subject)), open_(std::move(open)) {}
  absl::Status AddTrack(const std::string& name, const std::string& text, model::SystemCut start,
                        model::Path path);
  absl::Status AddDeath(const model::Death& death);
  absl::Status StartBranch(const model::PathStep& step, const std::string& text);
  absl::StatusOr<size_t> ReadStep(const std::string& word, const Track& track) const;
  std::string NewName(const std::string& stem) const;

  Subject subject_;
  Open open_;
  std::vector<Track> tracks_;
  StepPlace at_;
};

}  // namespace foretell::agent
