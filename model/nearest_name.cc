#include "foretell/model/nearest_name.h"

#include <algorithm>
#include <cctype>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace foretell::model {
namespace {

char Lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Insertions, deletions, replacements and swaps of neighbours; letter case is free.
size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const bool same = Lower(a[i - 1]) == Lower(b[j - 1]);
      cost[i][j] =
          std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && Lower(a[i - 1]) == Lower(b[j - 2]) &&
                           Lower(a[i - 2]) == Lower(b[j - 1]);
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string NearestName(const std::string& wrong, const std::vector<std::string>& names) {
  // Nobody mistypes a name this long; comparing would only cost time.
  if (wrong.empty() || wrong.size() > 100) return "";
  std::string best;
  size_t best_cost = SIZE_MAX;
  for (const std::string& name : names) {
    const bool prefix = name.starts_with(wrong);
    const size_t cost = prefix ? 1 : EditDistance(wrong, name);
    const bool near =
        prefix || cost <= std::max<size_t>(1, std::min(wrong.size(), name.size()) / 3);
    if (near && cost < best_cost) {
      best = name;
      best_cost = cost;
    }
  }
  return best;
}

absl::Status UnknownName(const std::string& kind, const std::string& wrong,
                         const std::vector<std::string>& names) {
  const std::string nearest = NearestName(wrong, names);
  return absl::InvalidArgumentError(
      absl::StrCat("unknown ", kind, " '", wrong,
                   "': ", nearest.empty() ? "" : absl::StrCat("did you mean '", nearest, "'? "),
                   names.empty() ? "there are none" : "known: ", absl::StrJoin(names, ", ")));
}

}  // namespace foretell::model
