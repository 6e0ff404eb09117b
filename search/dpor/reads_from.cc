#include "foretell/search/dpor/reads_from.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace foretell::search {
namespace {

// The post that the i-th event, which is one, has met. The sender of what is buffered does not
// notice, so that a receive is not known to have touched it.
std::optional<uint32_t> MetBy(const Execution& execution, size_t i) {
  const ProcessSpace::Step& step = execution.step(i);
  const Touched& touched = step.touched;
  if (touched.posts.size() > 1) return touched.posts[1];
  if (touched.kind == Touched::Kind::kSend) return std::nullopt;
  const uint32_t mailbox = step.key > 0 ? step.key - 1 : touched.mailboxes[0];
  const Offices& offices = execution.space().offices();
  const auto head = offices.Head(execution.state(i).back(), mailbox, /*sends=*/true);
  if (!head) return std::nullopt;
  return offices.At(*head).post;
}

}  // namespace

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
    const std::optional<uint32_t> other = MetBy(execution, i);
    if (!other) continue;
    // What was there from the beginning has no other name.
    const auto named = names.emplace(*other, UINT32_MAX - *other).first->second;
    met.push_back(std::minmax(names[touched.posts[0]], named));
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
