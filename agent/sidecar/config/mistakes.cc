#include "foretell/agent/sidecar/config/mistakes.h"

#include <algorithm>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/text.h"

namespace foretell::agent {

void Mistakes::Add(const Place& place, const std::string& what) {
  found_.push_back({place, Printable(absl::StrCat(place.text, ": ", what), true)});
}

std::vector<std::string> Mistakes::Lines() const {
  std::vector<Mistake> sorted = found_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Mistake& a, const Mistake& b) {
    return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
  });
  std::vector<std::string> lines;
  for (Mistake& mistake : sorted) lines.push_back(std::move(mistake.text));
  return lines;
}

absl::Status Mistakes::status() const {
  if (found_.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrJoin(Lines(), "\n"));
}

}  // namespace foretell::agent
