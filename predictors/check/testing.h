#pragma once

// Services under GoogleTest. Installed as foretell/testing.h.
//
//   TEST(LockTest, Holds) { EXPECT_HOLDS(kLock); }
//   TEST(LockTest, ForgettingTheHolderBreaksIt) {
//     EXPECT_BREAKS(kLock, "one-holder", {.bug = "forgets-holder"});
//   }

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "foretell/predictors/check/check.h"

namespace foretell {

// The whole space was covered, and no invariant is violated anywhere.
inline testing::AssertionResult Holds(const model::ServiceFamily& family,
                                      const CheckOptions& options = {}) {
  const absl::StatusOr<Report> report = Check(family, options);
  if (!report.ok()) return testing::AssertionFailure() << report.status().message();
  if (report->outcome == model::Outcome::kNone && report->complete) {
    return testing::AssertionSuccess();
  }
  return testing::AssertionFailure() << report->text;
}

// `invariant` is violated somewhere.
inline testing::AssertionResult Breaks(const model::ServiceFamily& family,
                                       const std::string& invariant, CheckOptions options = {}) {
  options.all_invariants = true;
  const absl::StatusOr<Report> report = Check(family, options);
  if (!report.ok()) return testing::AssertionFailure() << report.status().message();
  const bool broken = std::any_of(
      report->violations.begin(), report->violations.end(),
      [&](const model::Violation& violation) { return violation.invariant == invariant; });
  if (broken) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "expected a violation of " << invariant << "\n"
                                     << report->text;
}

}  // namespace foretell

#define EXPECT_HOLDS(...) EXPECT_TRUE(::foretell::Holds(__VA_ARGS__))
#define EXPECT_BREAKS(...) EXPECT_TRUE(::foretell::Breaks(__VA_ARGS__))
