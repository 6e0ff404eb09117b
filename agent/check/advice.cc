#include "foretell/agent/check/advice.h"

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/quantities.h"

namespace foretell::agent {
namespace {

using Limit = model::Budget::Limit;

// The option that lets the search go further; empty if nothing can be raised.
std::string RaisedBound(const CheckRecord& record, const CheckRequest& asked) {
  constexpr uint64_t kMore = 10;
  const Bounds& bounds = asked.bounds;
  switch (record.ended_by) {
    case Limit::kTime: return absl::StrCat("--budget ", DurationText(bounds.time * kMore));
    case Limit::kSteps: return absl::StrCat("--steps ", bounds.steps * kMore);
    case Limit::kMemory: return absl::StrCat("--memory ", SizeText(bounds.bytes * 2));
    case Limit::kNone: break;
  }
  constexpr uint32_t kDeep = 1'000'000;
  return asked.options.depth_max < kDeep ? absl::StrCat("--depth ", asked.options.depth_max * 2)
                                         : "";
}

}  // namespace

std::string BoundAdvice(const CheckRecord& record, const CheckRequest& asked) {
  const bool cut_off = record.report.outcome == model::Outcome::kBudget && !record.interrupted;
  const bool endless = !record.coverage.growing.empty() || !record.coverage.piling.empty();
  if (!cut_off || endless) return "";
  const std::string raised = RaisedBound(record, asked);
  return raised.empty() ? "" : absl::StrCat("To see more: ", raised, ".");
}

}  // namespace foretell::agent
