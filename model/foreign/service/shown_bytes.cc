#include "foretell/model/foreign/service/shown_bytes.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace foretell::model::foreign {

std::string ShownBytes(std::string_view bytes) {
  constexpr size_t kShown = 64;
  const bool printable =
      std::all_of(bytes.begin(), bytes.end(), [](char c) { return c >= ' ' && c != '\x7f'; });
  const std::string shown(bytes.substr(0, kShown));
  return absl::StrCat(printable ? shown : absl::StrCat("0x", absl::BytesToHexString(shown)),
                      bytes.size() > kShown ? "..." : "");
}

}  // namespace foretell::model::foreign
