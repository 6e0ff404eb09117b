// Cuts of a cluster that a story moves step by step.

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "foretell/tests/scenarios/verbs.h"

namespace foretell::scenarios {

Reaction BeginCluster(const Command& command, Stage& stage) {
  constexpr uint32_t kNodesMax = 16;
  uint32_t count = 0;
  const bool streams = command.Has("streams");
  if (command.words.size() != 2 || (!streams && !command.Has("datagrams")) ||
      !absl::SimpleAtoi(command.words[1], &count) || count == 0 || count > kNodesMax) {
    return absl::InvalidArgumentError("usage: nodes datagrams|streams COUNT");
  }
  stage.cluster = std::make_unique<LetterCluster>(
      count, streams ? model::NetworkKind::kStreams : model::NetworkKind::kDatagrams);
  return "";
}

Reaction RunCluster(const Command& command, Stage& stage) {
  if (stage.cluster == nullptr) return absl::InvalidArgumentError("there are no nodes yet");
  std::string happened;
  for (const std::string& line : command.input) {
    const Reaction one = stage.cluster->Run(line);
    if (!one.ok()) return one.status();
    happened += *one;
  }
  return happened;
}

Reaction AssembleCut(const Command& command, Stage& stage) {
  if (stage.cluster == nullptr) return absl::InvalidArgumentError("there are no nodes yet");
  uint64_t number = 0;
  if (command.words.size() != 1 || !absl::SimpleAtoi(command.words[0], &number)) {
    return absl::InvalidArgumentError("usage: cut NUMBER");
  }
  return stage.cluster->Cut(number);
}

}  // namespace foretell::scenarios
