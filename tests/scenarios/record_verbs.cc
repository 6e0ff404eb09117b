// What an agent would have written.

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "foretell/snapshot/archive/archive.h"
#include "foretell/snapshot/archive/bundle.h"
#include "foretell/tests/scenarios/steps.h"
#include "foretell/tests/scenarios/verbs.h"

namespace foretell::scenarios {
namespace {

// A system, and how far a path of it has come.
struct Walk {
  agent::Selection selection;
  std::unique_ptr<model::PlainSystem> system;
  model::Path path;

  const model::Service& service() const { return *selection.system.service; }
  absl::Status Take(const std::string& line) {
    const auto step = StepOf(line, service(), *system);
    if (!step.ok()) return step.status();
    path.push_back(*step);
    return system->Apply(*step).status();
  }
};

absl::StatusOr<Walk> BeginWalk(const Command& command, Stage& stage) {
  if (command.words.size() < 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("usage: ", command.verb, " FILE SERVICE [OPTION...]"));
  }
  auto selection = agent::Select(stage.parts.catalog, command.words[1],
                                 command.Option("--scenario"), command.Option("--bug"));
  if (!selection.ok()) return selection.status();
  Walk walk{.selection = *std::move(selection)};
  walk.system = std::make_unique<model::PlainSystem>(walk.service(), walk.selection.system.start);
  return walk;
}

// The cut where `walk` is, taken at a second of its own.
absl::StatusOr<snapshot::RecordedSnapshot> Recorded(const Command& command, const Walk& walk) {
  uint64_t number = 1;
  const std::string given = command.Option("--number");
  if (!given.empty() && !absl::SimpleAtoi(given, &number)) {
    return absl::InvalidArgumentError(absl::StrCat("--number ", given));
  }
  const std::string version = command.Option("--version");
  snapshot::RecordedSnapshot recorded{
      .taken = snapshot::UnixTime(std::chrono::seconds(1'700'000'000 + number)),
      .origin = {walk.selection.service, walk.selection.scenario, walk.selection.bug,
                 version.empty() ? walk.selection.family->version() : version, "0.1.0"}};
  recorded.snapshot.number = number;
  recorded.snapshot.cut = walk.system->state();
  if (const std::string note = command.Option("--note"); !note.empty()) {
    recorded.snapshot.exact = false;
    recorded.snapshot.notes = {note};
  }
  return recorded;
}

}  // namespace

Reaction RecordSnapshot(const Command& command, Stage& stage) {
  auto walk = BeginWalk(command, stage);
  if (!walk.ok()) return walk.status();
  for (const std::string& line : command.input) {
    if (absl::Status status = walk->Take(line); !status.ok()) return status;
  }
  const auto recorded = Recorded(command, *walk);
  if (!recorded.ok()) return recorded.status();
  const auto writer = snapshot::ArchiveWriter::Open(command.words[0], {});
  if (!writer.ok()) return writer.status();
  if (absl::Status status = (*writer)->Append(*recorded); !status.ok()) return status;
  return "";
}

Reaction RecordBundle(const Command& command, Stage& stage) {
  auto walk = BeginWalk(command, stage);
  if (!walk.ok()) return walk.status();
  snapshot::Bundle bundle{.engine = "lmc", .plan_text = command.Option("--plan")};
  const auto now = std::find(command.input.begin(), command.input.end(), "now");
  if (now == command.input.end()) return absl::InvalidArgumentError("no line `now`");
  for (auto line = command.input.begin(); line != command.input.end(); ++line) {
    if (line == now) {
      auto recorded = Recorded(command, *walk);
      if (!recorded.ok()) return recorded.status();
      bundle.recorded = *std::move(recorded);
      bundle.imagined = bundle.recorded.snapshot.cut;
      walk->path.clear();
    } else if (absl::Status status = walk->Take(*line); !status.ok()) {
      return status;
    }
  }
  bundle.path = walk->path;
  bundle.invariant = command.Option("--invariant");
  size_t vetoed = 0;
  if (absl::SimpleAtoi(command.Option("--veto"), &vetoed)) {
    if (vetoed == 0 || vetoed > bundle.path.size()) {
      return absl::InvalidArgumentError(absl::StrCat("--veto: there is no step ", vetoed));
    }
    const model::PathStep& step = bundle.path[vetoed - 1];
    bundle.plan = {{"d-1", bundle.invariant, snapshot::FilterKind::kDrop, snapshot::Mode::kEnforce,
                    step.node, step.event, std::chrono::seconds(5)}};
  }
  absl::Status status = snapshot::WriteBundle(command.words[0], bundle);
  if (!status.ok()) return status;
  return "";
}

}  // namespace foretell::scenarios
