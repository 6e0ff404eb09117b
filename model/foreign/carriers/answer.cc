#include "foretell/model/foreign/carriers/answer.h"

#include "absl/strings/str_cat.h"
#include "foretell/model/foreign/wire/foretell_service.h"

namespace foretell::model::foreign {

absl::Status StatusOf(int64_t code, const std::string& text) {
  const auto says = [&](const char* otherwise) { return text.empty() ? otherwise : text; };
  switch (code) {
    case FORETELL_UNSUPPORTED: return absl::UnimplementedError(says("not supported"));
    case FORETELL_MALFORMED: return absl::InvalidArgumentError(says("malformed request"));
    case FORETELL_INTERNAL: return absl::InternalError(says("it failed and does not say why"));
    default: break;
  }
  return absl::AbortedError(absl::StrCat("answered with code ", code, ", which means nothing"));
}

}  // namespace foretell::model::foreign
