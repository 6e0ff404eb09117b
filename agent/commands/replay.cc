#include "foretell/agent/commands/replay.h"

#include <initializer_list>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/commands/replay_kinds.h"
#include "foretell/snapshot/storage/frame.h"

namespace foretell::agent {
namespace {

// An option that would be ignored is an error: the user would draw wrong conclusions.
absl::Status RefuseGiven(
    const char* kind, std::initializer_list<std::pair<const char*, const std::string&>> options) {
  for (const auto& [name, value] : options) {
    if (value.empty()) continue;
    return absl::InvalidArgumentError(absl::StrCat(name, " means nothing to ", kind));
  }
  return absl::OkStatus();
}

}  // namespace

int RunReplay(const ReplayArgs& args, const Parts& parts, Streams& streams) {
  const auto kind = snapshot::KindOfFile(args.file);
  const bool bundle = kind.ok() && *kind == snapshot::FrameKind::kBundle;
  const absl::Status sensible =
      bundle ? RefuseGiven("a bundle", {{"--engine", args.engine},
                                        {"--budget", args.budget},
                                        {"--steps", args.steps},
                                        {"--jobs", args.jobs},
                                        {"--every", args.every},
                                        {"--json", args.json}})
             : RefuseGiven("an archive", {{"--format", args.format}, {"--output", args.output}});
  // A file that cannot be read is the first thing to hear about.
  if (kind.ok() && !sensible.ok()) return Fail(streams, sensible);
  return bundle ? ReplayBundle(args, parts, streams) : ReplayArchive(args, parts, streams);
}

}  // namespace foretell::agent
