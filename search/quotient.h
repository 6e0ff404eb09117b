#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "foretell/model/budget.h"
#include "foretell/model/engine/invariant_table.h"
#include "foretell/model/event.h"
#include "foretell/search/global_space.h"

namespace foretell::search {

// Global states that are like each other, by what the service says of itself: what one of them can
// do, all can, and what one violates, all do. One stands for all of them. What was said is checked
// on everything that is run and judged on the way.
class Quotient {
 public:
  virtual ~Quotient() = default;

  // Makes of `state` the one that stands for it.
  virtual void Represent(GlobalState& state) = 0;
  // A combination of signatures was judged (InvariantTable::Violated).
  virtual void Judged(std::span<const uint32_t> signatures) = 0;
  // Checks all that was run and judged since the last call. False if it was found to be wrong, and
  // there is a complaint, or the budget did not last.
  virtual bool Verify(model::Budget& budget) = 0;
  // In which way states that should be like each other are not, for people.
  virtual const std::optional<std::string>& complaint() const = 0;

  // The way of a real system along `states`: the first is where it starts, each of the others
  // stands for what one step from the one before leads to. Nothing, and a complaint, if there is
  // none.
  virtual std::optional<model::Path> PathAlong(std::span<const GlobalState> states) = 0;

  // The most states that one stands for.
  virtual uint64_t images_max() const = 0;
  virtual uint64_t bytes() const = 0;
};

// Null if no two states are alike. All but the notes outlive the quotient; it is made before
// anything runs.
using MakeQuotient = std::function<std::unique_ptr<Quotient>(
    GlobalSpace& space, model::InvariantTable& invariants, const model::SystemCut& start,
    std::vector<std::string>& notes)>;

}  // namespace foretell::search
