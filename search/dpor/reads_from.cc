#include "foretell/search/dpor/reads_from.h"

#include <algorithm>
#include <utility>

namespace foretell::search {

ReadsFrom ReadsFromOf(const Execution& execution) {
  std::vector<std::pair<uint32_t, uint32_t>> met;
  for (size_t i = 0; i < execution.size(); ++i) {
    const Touched& touched = execution.step(i).touched;
    if (touched.kind == Touched::Kind::kLook || touched.posts.size() < 2) continue;
    met.push_back(std::minmax(touched.posts[0], touched.posts[1]));
  }
  std::sort(met.begin(), met.end());
  const ProcessIds end = execution.state(execution.size());
  ReadsFrom reads(end.begin(), end.end() - 1);
  for (const auto& [one, other] : met) reads.insert(reads.end(), {one, other});
  return reads;
}

}  // namespace foretell::search
