#pragma once

#include <optional>
#include <vector>

#include "foretell/dir/ids/signature.h"
#include "foretell/dir/trace/check_setting.h"
#include "foretell/dir/trace/interface_projection.h"
#include "foretell/model/engine/transition_table.h"

namespace foretell::dir {

// Interface keys of states (InterfaceProjection), by id: computed once for each. One thread at a
// time.
class InterfaceKeys {
 public:
  // Both outlive this.
  InterfaceKeys(const CheckSetting& setting, model::TransitionTable& table)
      : setting_(setting), table_(table), keys_(table.node_count()) {}

  // REQUIRES: the setting has a projection.
  const Signature& Of(model::NodeId node, model::StateId state) {
    auto& known = keys_[node.index()];
    if (known.size() <= state.index()) known.resize(state.index() + 1);
    std::optional<Signature>& key = known[state.index()];
    if (!key) {
      key = setting_.projection->KeyOf(node, table_.StateOf(node, state), setting_.components);
    }
    return *key;
  }

 private:
  const CheckSetting& setting_;
  model::TransitionTable& table_;
  std::vector<std::vector<std::optional<Signature>>> keys_;  // By node and state.
};

}  // namespace foretell::dir
