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
  std::chrono::milliseconds budget{2'000};  // Of one search, unless `steps` is given.
  uint64_t steps = UINT64_MAX;
  uint64_t bytes = uint64_t{4} << 30;
  uint32_t threads = 2;
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
  Seconds time{};  // The shortest of a few, if it is short.
  Seconds cpu{};   // Processor time of the same run, of all its threads.

  bool decided() const { return kind == Kind::kNone || kind == Kind::kViolation; }
};
Verdict Ask(const predictors::Engine& engine, const Case& one, const EnginesPlan& plan);

// Engines that cannot both be right, or one that failed; empty if there are none.
std::string Contradiction(const std::vector<predictors::Engine>& engines,
                          const std::vector<Verdict>& verdicts);

}  // namespace foretell::bench
