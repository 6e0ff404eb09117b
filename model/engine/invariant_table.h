#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/model/engine/interner.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/model/report.h"

namespace foretell::model {

// A set of invariants, by bit.
using InvariantSet = uint64_t;

// Invariants over ids. Projections are computed once per node state, predicates once per
// combination of projections.
//
// Invariant number i is service.invariants()[i]; one more, number assertions(), stands for local
// assertions. Liveness predicates are never among the results.
class InvariantTable {
 public:
  explicit InvariantTable(TransitionTable& table);

  size_t assertions() const { return infos_.size() - 1; }
  size_t count() const { return infos_.size(); }
  const InvariantInfo& info(size_t invariant) const { return infos_[invariant]; }
  // The safety invariants, local assertions included, but for those of terminal states.
  InvariantSet all() const { return all_; }
  // Those that must hold only in terminal states.
  InvariantSet when_stuck() const { return when_stuck_; }

  // States with the same signature look the same to all invariants. Dense per table.
  uint32_t Signature(NodeId node, StateId state);
  // The invariants that a combination of one signature per node violates; those of terminal states
  // as if it were one.
  InvariantSet Violated(std::span<const uint32_t> signatures);

  // The projection of a signature for one invariant; nothing if it cannot contribute.
  std::optional<KeyId> Key(size_t invariant, uint32_t signature) const;
  // True iff keys violate `invariant`; as many as its scope asks for (Service::Violates).
  bool Violates(size_t invariant, std::span<const std::optional<KeyId>> keys);

  // Asks again, of a sample: the invariant that does not answer as it did, for people. Nothing if
  // there is none.
  std::optional<std::string> Unsteady() const;

  uint64_t bytes() const { return signatures_.bytes() + violated_index_.bytes(); }

 private:
  uint32_t ComputeSignature(NodeId node, StateId state);
  bool EvaluateCombination(size_t invariant, std::span<const uint32_t> signatures);
  // audit_invariants.cc
  std::optional<size_t> LooksDifferent(NodeId node, StateId state) const;
  bool JudgesDifferently(size_t invariant) const;

  TransitionTable& table_;
  std::vector<InvariantInfo> infos_;
  InvariantSet all_ = 0;
  InvariantSet when_stuck_ = 0;
  std::vector<Interner> keys_;                              // By invariant.
  std::vector<std::vector<uint32_t>> signature_;            // By node and state; 0 is unknown.
  SequenceInterner signatures_;                             // Key + 1 per invariant, 0 for none.
  SequenceInterner violated_index_;                         // Combinations of signatures ...
  std::vector<InvariantSet> violated_;                      // ... and what they violate.
  std::vector<absl::flat_hash_map<uint64_t, bool>> pairs_;  // By invariant.
};

}  // namespace foretell::model
