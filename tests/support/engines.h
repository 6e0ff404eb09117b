#pragma once

// Runs engines by name, as users do, and checks what every report must keep.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "foretell/model/check.h"
#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/predictors/engines.h"

namespace foretell::tests {

inline model::System MakeOrDie(const model::ServiceFamily& family, const std::string& scenario,
                               const std::string& bug = "") {
  absl::StatusOr<model::System> system = family.Make(scenario, bug);
  FORETELL_CHECK(system.ok());
  return *std::move(system);
}

// No clock, so that the report depends on nothing else.
inline model::Budget Steps(uint64_t steps_max) {
  return model::Budget({.steps_max = steps_max}, [] { return model::Budget::Time{}; });
}

// What holds for every report: violations replay and end in what they say.
inline void ExpectSound(const model::Service& service, const model::SystemCut& start,
                        const model::Report& report) {
  EXPECT_EQ(report.outcome == model::Outcome::kViolation, !report.violations.empty());
  for (const model::Violation& violation : report.violations) {
    const auto confirmed = model::Confirm(service, start, violation.invariant, violation.path);
    EXPECT_TRUE(confirmed.ok()) << confirmed.status();
    EXPECT_EQ(confirmed.ok() ? confirmed->text : "", violation.text);
  }
}

inline model::Report Explore(const model::Service& service, const model::SystemCut& start,
                             const std::string& engine, predictors::EngineOptions options = {},
                             uint64_t steps_max = 100'000'000) {
  for (const predictors::Engine& known : predictors::AllEngines()) {
    if (known.name != engine) continue;
    model::Budget budget = Steps(steps_max);
    absl::StatusOr<model::Report> report = known.make(service, options)->Explore(start, budget);
    EXPECT_TRUE(report.ok()) << report.status();
    if (!report.ok()) return {};
    ExpectSound(service, start, *report);
    return *std::move(report);
  }
  ADD_FAILURE() << "no engine " << engine;
  return {};
}

inline model::Report Explore(const model::System& system, const std::string& engine) {
  return Explore(*system.service, system.start, engine);
}

// Byte for byte, but for the seconds, which a report does not have.
inline void ExpectSame(const model::Report& a, const model::Report& b) {
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(a.complete, b.complete);
  EXPECT_EQ(a.notes, b.notes);
  const auto figures = [](const model::Stats& s) {
    return std::vector<model::Stats::Count>{s.transitions,
                                            s.handler_executions,
                                            s.node_states,
                                            s.system_states,
                                            s.global_states,
                                            s.traces,
                                            s.blocked,
                                            s.traces_before_violation,
                                            s.soundness_checks,
                                            s.soundness_rejections,
                                            s.depth,
                                            s.bytes};
  };
  EXPECT_EQ(figures(a.stats), figures(b.stats));
  ASSERT_EQ(a.violations.size(), b.violations.size());
  for (size_t i = 0; i < a.violations.size(); ++i) {
    EXPECT_EQ(a.violations[i].invariant, b.violations[i].invariant);
    EXPECT_EQ(a.violations[i].text, b.violations[i].text);
    EXPECT_EQ(a.violations[i].path, b.violations[i].path);
  }
}

}  // namespace foretell::tests
