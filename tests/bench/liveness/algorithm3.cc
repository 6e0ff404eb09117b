#include "foretell/tests/bench/liveness/algorithm3.h"

#include <algorithm>

namespace foretell::bench {
namespace {

class Search {
 public:
  Search(Subject& subject, const Execution& execution, const Algorithm3Options& options)
      : subject_(subject), execution_(execution), options_(options) {}

  Algorithm3Result Run() {
    const uint64_t before = subject_.walker().steps();
    Algorithm3Result result = Find();
    result.steps = subject_.walker().steps() - before;
    return result;
  }

 private:
  Algorithm3Result Find() {
    size_t current = execution_.first;
    if (!Recovers(current)) return {.critical = current};
    size_t previous = current;
    do {  // Phase 1: exponential search. The public code of MaceMC doubles from a prefix of 1, too.
      previous = current;
      current = std::max<size_t>(1, 2 * current);
      if (current > options_.depth / 2) return {.critical = current};
    } while (Recovers(current));
    while (previous + 1 < current) {  // Phase 2: binary search.
      const size_t middle = (previous + current) / 2;
      (Recovers(middle) ? previous : current) = middle;
    }
    return {.critical = current, .certain = true};
  }

  bool Recovers(size_t step) {
    const auto live = [this](const search::GlobalState& s) { return subject_.moves().Live(s); };
    const auto length = static_cast<uint32_t>(options_.depth - step);
    for (uint32_t i = 0; i < options_.walks; ++i) {
      if (subject_.walker().Walk(execution_.At(step), length, budget_, live)) return true;
    }
    return false;
  }

  Subject& subject_;
  const Execution& execution_;
  const Algorithm3Options options_;
  model::Budget budget_ = model::Budget::Unlimited();
};

}  // namespace

Algorithm3Result FindCriticalTransition(Subject& subject, const Execution& execution,
                                        const Algorithm3Options& options) {
  return Search(subject, execution, options).Run();
}

}  // namespace foretell::bench
