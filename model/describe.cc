#include "foretell/model/describe.h"

#include "absl/strings/str_cat.h"

namespace foretell::model {

std::string Describe(const Service& service, NodeId node, const Event& event) {
  std::string what = KindName(event.kind);
  if (event.kind == EventKind::kDeliver) {
    absl::StrAppend(&what, " ", service.RenderMessage(event.body), " from node ",
                    event.peer.value());
  }
  if (event.kind == EventKind::kAction) {
    absl::StrAppend(&what, " ", service.RenderAction(event.body));
  }
  if (IsOfStream(event.kind)) {
    absl::StrAppend(&what, " of the stream from node ", event.peer.value());
  }
  return absl::StrCat(what, " at node ", node.value());
}

}  // namespace foretell::model
