#include "foretell/snapshot/node/filter.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "foretell/model/service.h"

namespace foretell::snapshot {

FilterTarget TargetOf(const model::Service& service, const model::Event& event) {
  if (event.kind == model::EventKind::kDeliver) {
    return service.network().kind == model::NetworkKind::kStreams ? FilterTarget::kStreamMessage
                                                                  : FilterTarget::kDatagram;
  }
  if (event.kind != model::EventKind::kAction) return FilterTarget::kNothing;
  const bool timer = service.Timing(event.body).origin == model::ActionTiming::Origin::kTimer;
  return timer ? FilterTarget::kTimer : FilterTarget::kCall;
}

std::optional<FilterKind> KindFor(FilterTarget target) {
  for (int i = 0; i <= static_cast<int>(FilterKind::kLast); ++i) {
    const auto kind = static_cast<FilterKind>(i);
    if (TraitsOf(kind).target == target) return kind;
  }
  return std::nullopt;
}

absl::StatusOr<Mode> ParseMode(const std::string& text) {
  for (int i = 0; i <= static_cast<int>(Mode::kLast); ++i) {
    const auto mode = static_cast<Mode>(i);
    if (text == ModeName(mode)) return mode;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("mode \"", text, "\": expected off, observe, shadow, enforce or guard"));
}

}  // namespace foretell::snapshot
