#include "foretell/snapshot/node/filter.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace foretell::snapshot {

const char* FilterKindVerb(FilterKind kind) {
  if (kind == FilterKind::kReset) return "reset the stream that brings";
  return FilterKindName(kind);
}

absl::StatusOr<Mode> ParseMode(const std::string& text) {
  for (int i = 0; i <= static_cast<int>(Mode::kLast); ++i) {
    const auto mode = static_cast<Mode>(i);
    if (text == ModeName(mode)) return mode;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("mode \"", text, "\": expected off, observe, shadow or enforce"));
}

}  // namespace foretell::snapshot
