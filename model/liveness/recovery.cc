#include "foretell/model/liveness/recovery.h"

#include "foretell/model/liveness/event_counts.h"

namespace foretell::model {

Help HelpOf(const Service& service, const Event& event) {
  if (event.kind != EventKind::kAction) return HelpOf(event.kind);
  const ActionTiming timing = service.Timing(event.body);
  if (timing.adverse) return Help::kAdverse;
  return timing.origin == ActionTiming::Origin::kCall ? Help::kCall : Help::kHelpful;
}

uint32_t WeightOf(const Service& service, const Weights& weights, const Event& event) {
  const Help help = HelpOf(service, event);
  if (help == Help::kAdverse) return 0;
  if (const std::optional<uint32_t> own = service.Weight(event)) return *own;
  if (!weights.measured.empty()) {
    const auto found = weights.measured.find(CountedName(service, event));
    if (found != weights.measured.end()) return found->second;
  }
  if (help == Help::kCall) return weights.call;
  switch (event.kind) {
    case EventKind::kDeliver: return weights.deliver;
    case EventKind::kRestart: return weights.restart;
    default: return weights.timer;
  }
}

}  // namespace foretell::model
