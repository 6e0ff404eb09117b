#pragma once

// One call from a family to a verdict, for programs and for tests (foretell/testing.h). Installed
// as foretell/check.h.

#include <chrono>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "foretell/model/family.h"
#include "foretell/model/report.h"

namespace foretell {

// As the options of `foretell check`, with the same defaults.
struct CheckOptions {
  std::string scenario = "";  // With settings: "start,nodes=5,crashes[0]=1". Default: the first.
  std::string bug = "";
  std::string engine = "";
  std::chrono::milliseconds budget{60'000};
  uint64_t steps = UINT64_MAX;
  uint64_t bytes = uint64_t{4} << 30;
  bool all_invariants = false;  // Go on after a violation until every invariant is decided.
};

struct Report : model::Report {
  // Every handler that may run did, every invariant saw some node, every goal was reached.
  bool covers_everything = false;
  // The verdict for people: what was found, every path step by step, what was covered, notes.
  std::string text;
};

// Searches a service for violations. InvalidArgument for names and numbers that do not exist. What
// the service throws outside of its handlers is FailedPrecondition.
absl::StatusOr<Report> Check(const model::ServiceFamily& family, const CheckOptions& options = {});

}  // namespace foretell
