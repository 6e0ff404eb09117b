#pragma once

// Known bugs that every engine must find, count and replay.

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "foretell/tests/support/engines.h"

namespace foretell::tests {

struct Planted {
  const char* bug;
  const char* scenario;
  const char* engine;
  uint64_t depth;
  uint64_t states;  // Node states of lmc and lmc-gen, else global states.
};

inline void PrintTo(const Planted& p, std::ostream* out) { *out << p.bug << ' ' << p.engine; }

inline void ExpectFound(const model::ServiceFamily& family, const Planted& planted) {
  const model::System system = MakeOrDie(family, planted.scenario, planted.bug);
  const model::Report report = Explore(system, planted.engine);
  ASSERT_EQ(report.outcome, model::Outcome::kViolation);
  ASSERT_EQ(report.violations.size(), 1u);
  EXPECT_EQ(report.violations[0].invariant, "agreement");
  EXPECT_EQ(report.violations[0].path.size(), planted.depth);
  const bool local = std::string(planted.engine).find("lmc") == 0;
  EXPECT_EQ(local ? report.stats.node_states : report.stats.global_states, planted.states);
  ExpectSame(report, Explore(system, planted.engine));
}

inline std::string NameOf(const testing::TestParamInfo<Planted>& info) {
  std::string name =
      std::string(info.param.bug) + "_" + info.param.scenario + "_" + info.param.engine;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

}  // namespace foretell::tests
