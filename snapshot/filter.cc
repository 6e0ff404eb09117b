#include "snapshot/filter.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace foretell::snapshot {

const char* FilterKindName(FilterKind kind) {
  switch (kind) {
    case FilterKind::kDrop: return "drop";
    case FilterKind::kReset: return "reset";
    case FilterKind::kPostpone: return "postpone";
    case FilterKind::kRefuse: return "refuse";
  }
  return "unknown";
}

const char* ModeName(Mode mode) {
  switch (mode) {
    case Mode::kOff: return "off";
    case Mode::kObserve: return "observe";
    case Mode::kShadow: return "shadow";
    case Mode::kEnforce: return "enforce";
  }
  return "unknown";
}

absl::StatusOr<Mode> ParseMode(const std::string& text) {
  for (const Mode mode : {Mode::kOff, Mode::kObserve, Mode::kShadow, Mode::kEnforce}) {
    if (text == ModeName(mode)) return mode;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("mode \"", text, "\": expected off, observe, shadow or enforce"));
}

}  // namespace foretell::snapshot
