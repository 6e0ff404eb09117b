#include "foretell/model/symmetry/node_list.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace foretell::model {
namespace {

absl::Status BadWord(const std::string& word) {
  return absl::InvalidArgumentError(
      absl::StrCat("'", word, "' is no node and no range of nodes like 3-5"));
}

}  // namespace

absl::Status AddNodes(const std::string& word, uint32_t node_count, std::vector<NodeId>& nodes) {
  const std::vector<std::string> ends = absl::StrSplit(word, '-');
  uint32_t first = 0;
  if (ends.size() > 2 || !absl::SimpleAtoi(ends.front(), &first)) return BadWord(word);
  uint32_t last = first;
  if (ends.size() == 2 && !absl::SimpleAtoi(ends.back(), &last)) return BadWord(word);
  if (last < first) return BadWord(word);
  if (last >= node_count) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no node ", last, ", the last is ", node_count - 1));
  }
  for (uint32_t n = first; n <= last; ++n) nodes.push_back(NodeId(n));
  return absl::OkStatus();
}

}  // namespace foretell::model
