#pragma once

// What every engine says about every built-in service, scenario and bug.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "foretell/model/family.h"
#include "foretell/model/report.h"
#include "foretell/predictors/engines.h"
#include "foretell/tests/bench/figures.h"

namespace foretell::bench {

// What the one who runs the benchmark chose.
struct EnginesPlan {
  // Processor time of one search, of each of its threads, unless `steps` is given.
  std::chrono::milliseconds budget{2'000};
  uint64_t steps = UINT64_MAX;
  uint64_t bytes = uint64_t{4} << 30;
  // With one the portfolio's turns go by processor time alone; with more the machine has a say in
  // which of those that run comes further.
  uint32_t threads = 1;
  std::string only;  // A part of the name of a case; empty: all of them.
};

struct Case {
  const model::ServiceFamily* family = nullptr;
  std::string scenario;
  std::string bug;  // Empty: none.
  std::string name() const;
};
// Scenarios and bugs that go together, in the order of the catalog.
std::vector<Case> CasesOf(const model::Catalog& catalog, const EnginesPlan& plan);

struct Verdict {
  enum class Kind : uint8_t {
    kNotCovered,  // The engine would explore nothing.
    kFailed,      // `text` says why.
    kOpen,        // Nothing found, not complete.
    kNone,        // Nothing found, complete.
    kViolation,
  };
  Kind kind = Kind::kNotCovered;
  std::string text;
  std::string invariant;  // Of a violation, as is this:
  size_t steps = 0;
  Seconds cpu{};   // Processor time of all threads; the least of a few runs, if it is little.
  Seconds time{};  // By the wall clock; the least of the same runs.

  bool decided() const { return kind == Kind::kNone || kind == Kind::kViolation; }
};
Verdict Ask(const predictors::Engine& engine, const Case& one, const EnginesPlan& plan);

// Engines that cannot both be right, or one that failed; empty if there are none.
std::string Contradiction(const std::vector<predictors::Engine>& engines,
                          const std::vector<Verdict>& verdicts);

}  // namespace foretell::bench
