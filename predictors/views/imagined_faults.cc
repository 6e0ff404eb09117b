#include "foretell/predictors/views/imagined_faults.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/nearest_name.h"
#include "foretell/model/symmetry/exchange.h"

namespace foretell::predictors {
namespace {

using model::EventKind;
using model::FaultBudget;

constexpr ImaginedFaults kAll[] = {ImaginedFaults::kNever, ImaginedFaults::kLikely,
                                   ImaginedFaults::kAlways};

void AddOnce(std::string fault, std::vector<std::string>& faults) {
  if (fault.empty() || std::find(faults.begin(), faults.end(), fault) != faults.end()) return;
  faults.push_back(std::move(fault));
}

// At `node` as it is in `cut`, if it is steady.
FaultBudget BudgetOf(const model::Service& service, const model::NodeState& state,
                     model::NodeId node, const std::vector<snapshot::Filter>& filters) {
  const FaultBudget most = service.faults(node);
  const auto resets =
      std::count_if(filters.begin(), filters.end(), [node](const snapshot::Filter& filter) {
        return filter.node == node && snapshot::TraitsOf(filter.kind).breaks;
      });
  FaultBudget budget;
  for (const model::FaultKindInfo& fault : model::kFaults) {
    size_t still = state.faults[fault.kind];
    if (fault.kind == model::FaultKind::kBreak) still += static_cast<size_t>(resets);
    budget.*fault.max = static_cast<uint8_t>(std::min<size_t>(most[fault.kind], still));
  }
  return budget;
}

}  // namespace

const char* ImaginedFaultsName(ImaginedFaults which) {
  switch (which) {
    case ImaginedFaults::kNever: return "never";
    case ImaginedFaults::kLikely: return "likely";
    case ImaginedFaults::kAlways: return "always";
  }
  return "";
}

absl::StatusOr<ImaginedFaults> ParseImaginedFaults(const std::string& text) {
  std::vector<std::string> names;
  for (const ImaginedFaults which : kAll) {
    if (text == ImaginedFaultsName(which)) return which;
    names.emplace_back(ImaginedFaultsName(which));
  }
  return model::UnknownName("value", text, names);
}

std::string FaultWords(const model::PathStep& step) {
  switch (step.event.kind) {
    case EventKind::kCrash: return absl::StrCat("node ", step.node.value(), " crashes");
    case EventKind::kBreak:
      return absl::StrCat("the stream from node ", step.event.peer.value(), " to node ",
                          step.node.value(), " breaks");
    default: return "";
  }
}

std::vector<std::string> FaultsIn(const model::Path& path) {
  std::vector<std::string> faults;
  for (const model::PathStep& step : path) AddOnce(FaultWords(step), faults);
  return faults;
}

std::vector<std::string> Steady::RuledOut(const model::Path& path) const {
  std::vector<std::string> faults;
  for (const model::PathStep& step : path) {
    if (contains(step.node)) AddOnce(FaultWords(step), faults);
  }
  return faults;
}

SteadyService::SteadyService(const model::Service& inner, const model::SystemCut& cut,
                             Steady steady, const std::vector<snapshot::Filter>& filters)
    : model::ForwardingService(inner) {
  for (uint32_t n = 0; n < inner.node_count(); ++n) {
    const NodeId node(n);
    faults_.push_back(steady.contains(node) ? BudgetOf(inner, cut.nodes[n], node, filters)
                                            : inner.faults(node));
  }
}

std::vector<std::vector<model::NodeId>> SteadyService::Interchangeable() const {
  return model::DivideClasses(inner_.Interchangeable(), [this](model::Exchange nodes) {
    for (uint32_t n = 0; n < node_count(); ++n) {
      const FaultBudget& one = faults_[n];
      const FaultBudget& other = faults_[nodes(NodeId(n)).index()];
      if (one.crashes_max != other.crashes_max || one.breaks_max != other.breaks_max) return false;
    }
    return true;
  });
}

}  // namespace foretell::predictors
