#include "foretell/model/process/value.h"

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"

namespace foretell::model::process {

std::string ToHex(std::string_view bytes) {
  return absl::BytesToHexString(absl::string_view(bytes.data(), bytes.size()));
}

std::optional<std::string> FromHex(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  if (digits.find_first_not_of("0123456789abcdef") != std::string_view::npos) return std::nullopt;
  return absl::HexStringToBytes(absl::string_view(digits.data(), digits.size()));
}

}  // namespace foretell::model::process
