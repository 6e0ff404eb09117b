#include "foretell/model/symmetry/named_classes.h"

#include "absl/strings/str_split.h"
#include "foretell/model/symmetry/node_list.h"

namespace foretell::model {

absl::StatusOr<NamedClasses::Classes> NamedClasses::Parse(const std::string& text,
                                                          uint32_t node_count) {
  Classes classes;
  if (text.empty()) return classes;
  for (const std::string& nodes : std::vector<std::string>(absl::StrSplit(text, '/'))) {
    classes.emplace_back();
    for (const std::string& word : std::vector<std::string>(absl::StrSplit(nodes, ','))) {
      const absl::Status status = AddNodes(word, node_count, classes.back());
      if (!status.ok()) return status;
    }
  }
  return classes;
}

}  // namespace foretell::model
