#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/protocol/checkpointer.h"
#include "foretell/snapshot/protocol/cut_assembly.h"
#include "foretell/tests/scenarios/letters.h"

namespace foretell::scenarios {

// Nodes that write letters to each other and take checkpoints, moved by a story line by line:
//
//   send 0 1 a          node 0 sends the letter a to node 1
//   receive 0 1 a       it arrives; again: it arrives twice. `unstamped`: without the number of
//                       its sender's checkpoint, as from a host that loses it
//   ask 0 5             a collector asks node 0 for its checkpoint 5
//   crash 1, restart 1
//   announce 0 1        node 0 tells node 1 of its epoch
//   reset 0 1           the stream from 0 to 1 begins anew at its sender
//   broken 0 1          ... and node 1 learns that it broke
//   acknowledge 0 1     node 1 tells node 0 what it has received
class LetterCluster {
 public:
  LetterCluster(uint32_t nodes, model::NetworkKind kind);

  // What happened, one line. InvalidArgument if the line makes no sense.
  absl::StatusOr<std::string> Run(const std::string& line);
  // What came of putting together the answers for checkpoint `number`.
  std::string Cut(uint64_t number) const;

 private:
  using Words = std::vector<std::string>;
  struct Node {
    std::unique_ptr<snapshot::Checkpointer> checkpointer;  // Null while down.
    Letters::State state;
    uint64_t life = 1;
    uint64_t number = 0;                 // Of the checkpoint at the last crash.
    std::map<uint32_t, uint64_t> heard;  // The epoch last heard of, by sender.
  };
  struct Letter {
    uint32_t from = 0;
    uint32_t to = 0;
    std::string text;
    snapshot::Stamp stamp;
  };
  struct Answers {
    std::vector<std::shared_ptr<const snapshot::Checkpoint>> checkpoints;
    std::vector<std::string> reasons;
  };

  std::unique_ptr<snapshot::Checkpointer> MakeCheckpointer(uint32_t n);
  bool up(uint32_t n) const { return nodes_[n].checkpointer != nullptr; }
  // The node that the word at `index` names.
  absl::StatusOr<uint32_t> NodeAt(const Words& words, size_t index) const;
  // ... which must be up.
  absl::StatusOr<uint32_t> UpAt(const Words& words, size_t index) const;
  absl::StatusOr<std::string> RunOne(const Words& words);
  absl::StatusOr<std::string> RunPair(const Words& words);
  std::string Send(uint32_t from, uint32_t to, const std::string& text);
  absl::StatusOr<std::string> Receive(uint32_t from, uint32_t to, const Words& words);
  std::string Announce(uint32_t from, uint32_t to);
  std::string Reset(uint32_t from, uint32_t to);
  std::string Break(uint32_t from, uint32_t to);
  std::string Acknowledge(uint32_t from, uint32_t to);
  std::string Ask(uint32_t n, uint64_t number);
  std::string Crash(uint32_t n);
  std::string Restart(uint32_t n);

  const std::unique_ptr<model::Service> service_;
  std::vector<Node> nodes_;
  std::vector<Letter> letters_;
  std::map<uint64_t, Answers> answers_;
};

}  // namespace foretell::scenarios
