#pragma once

#include <optional>
#include <vector>

#include "dir/setting.h"
#include "dir/signature.h"
#include "dir/watch.h"
#include "model/transition_table.h"

namespace foretell::dir {

// What other components see of states, by id: found once for each. One thread at a time.
class Exposure {
 public:
  // Both outlive this.
  Exposure(const Setting& setting, model::TransitionTable& table)
      : setting_(setting), table_(table), seen_(table.node_count()) {}

  // REQUIRES: the setting has a watch.
  const Signature& Seen(model::NodeId node, model::StateId state) {
    auto& known = seen_[node.index()];
    if (known.size() <= state.index()) known.resize(state.index() + 1);
    std::optional<Signature>& seen = known[state.index()];
    if (!seen) seen = setting_.watch->Seen(node, table_.StateOf(node, state), setting_.components);
    return *seen;
  }

 private:
  const Setting& setting_;
  model::TransitionTable& table_;
  std::vector<std::vector<std::optional<Signature>>> seen_;  // By node and state.
};

}  // namespace foretell::dir
