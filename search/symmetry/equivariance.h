#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "foretell/model/budget.h"
#include "foretell/model/engine/interner.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/engine/transition_table.h"
#include "foretell/search/symmetry/exchanges.h"

namespace foretell::search {

// Whether exchanging nodes makes no difference, checked on everything that a search runs and
// judges, and on all images of it, by one exchange after the other:
//  - a state enables what its image enables, the nodes exchanged;
//  - an event leads to the image of where it leads to, and sends the image of what it sends,
//  choices
//    in any order; a failure is a failure, whatever its text;
//  - an invariant sees the image of what it sees, and finds the same.
// Images are listed like all else that is run, so that they are checked in turn: every permutation
// is covered by exchanges.
class Equivariance {
 public:
  // All outlive this. Nothing was run yet.
  Equivariance(model::TransitionTable& table, model::InvariantTable& invariants,
               Exchanges& exchanges);

  void Judged(std::span<const uint32_t> signatures) { combinations_.Intern(signatures); }
  // Checks all that is new. False if the budget did not last or there is a complaint.
  bool Check(model::Budget& budget);
  const std::optional<std::string>& complaint() const { return complaint_; }
  // For those who find out in another way.
  void Complain(const std::string& what);

  uint64_t bytes() const;

 private:
  using Execution = model::TransitionTable::Execution;

  bool CheckStates(model::Budget& budget);
  bool CheckExecutions(model::Budget& budget);
  bool CheckCombinations(model::Budget& budget);
  void CheckEnabled(size_t exchange, model::NodeId node, model::StateId state);
  void CheckSignature(size_t exchange, model::NodeId node, model::StateId state);
  void CheckOutcomes(size_t exchange, const Execution& execution);
  void CheckVerdict(size_t exchange, uint32_t combination);
  bool SameOutcome(size_t exchange, const Execution& execution, const model::Step& step,
                   const model::Step& other);
  void Complain(size_t exchange, const std::string& what);
  void ComplainOfOutcomes(size_t exchange, const Execution& execution,
                          std::span<const model::Step> steps, std::span<const model::Step> others);
  // What is so at one node, and otherwise at another.
  struct Contrast {
    std::string here = "-";
    std::string there = "-";
  };
  Contrast Difference(model::NodeId node, model::StateId expected, model::StateId found) const;
  std::string Describe(model::NodeId node, model::EventId event) const;

  model::TransitionTable& table_;
  model::InvariantTable& invariants_;
  Exchanges& exchanges_;
  std::vector<uint32_t> states_checked_;  // By node: how many.
  size_t executions_checked_ = 0;
  // By exchange and node: the key of an invariant that stands for another, by invariant and key.
  std::vector<absl::flat_hash_map<uint64_t, uint32_t>> keys_;
  // By exchange and node, and by signature: its image plus one; 0 is unknown.
  std::vector<std::vector<uint32_t>> signatures_;
  model::SequenceInterner combinations_;
  uint32_t combinations_checked_ = 0;
  std::optional<std::string> complaint_;
};

}  // namespace foretell::search
