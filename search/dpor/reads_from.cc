#include "foretell/search/dpor/reads_from.h"

#include <algorithm>
#include <map>
#include <utility>

namespace foretell::search {

// Posts are named by how many their process has made: who becomes something else counts afresh.
ReadsFrom ReadsFromOf(const Execution& execution) {
  const uint32_t processes = execution.process_count();
  std::vector<std::vector<uint32_t>> got(processes);
  std::vector<uint32_t> posted(processes);
  std::map<uint32_t, uint32_t> names;
  std::vector<std::pair<uint32_t, uint32_t>> met;
  for (size_t i = 0; i < execution.size(); ++i) {
    const Execution::Event& event = execution.event(i);
    const Touched& touched = event.step->touched;
    got[event.process].push_back(event.step->process);
    if (touched.kind == Touched::Kind::kLook) continue;
    names[touched.posts[0]] = posted[event.process]++ * processes + event.process;
    if (touched.posts.size() < 2) continue;
    met.push_back(std::minmax(names[touched.posts[0]], names[touched.posts[1]]));
  }
  std::sort(met.begin(), met.end());
  ReadsFrom reads;
  for (const std::vector<uint32_t>& each : got) {
    reads.push_back(static_cast<uint32_t>(each.size()));
    reads.insert(reads.end(), each.begin(), each.end());
  }
  for (const auto& [one, other] : met) reads.insert(reads.end(), {one, other});
  return reads;
}

}  // namespace foretell::search
