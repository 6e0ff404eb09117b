#include "foretell/predictors/views/service_views.h"

#include <algorithm>

#include "foretell/model/plain/plain_system.h"

namespace foretell::predictors {

namespace {

// Two keys as one; each may be absent.
std::string Join(const std::optional<std::string>& a, const std::optional<std::string>& b) {
  std::string joined = {a ? '1' : '0', b ? '1' : '0'};
  const std::string first = a.value_or("");
  return joined + std::to_string(first.size()) + ':' + first + b.value_or("");
}

// The first or second key of a joined one. A node without any key has neither.
std::optional<std::string> KeyIn(const std::optional<std::string>& joined, size_t index) {
  if (!joined || (*joined)[index] == '0') return std::nullopt;
  const size_t colon = joined->find(':');
  const size_t first = std::stoul(joined->substr(2, colon - 2));
  return index == 0 ? joined->substr(colon + 1, first) : joined->substr(colon + 1 + first);
}

bool Contains(std::span<const std::string> names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool Holds(const model::Service& service, size_t invariant,
           std::span<const std::optional<std::string>> keys) {
  return model::FirstBroken(service, invariant, keys).empty();
}

}  // namespace

void InvariantView::Pick(size_t invariant) {
  model::InvariantInfo info = inner_.invariants()[invariant];
  if (goals_) {
    info.scope = model::Scope::kSystem;
    info.eventually = false;
    info.stable = false;
  }
  picked_.push_back(invariant);
  infos_.push_back(std::move(info));
}

InvariantView InvariantView::Without(const model::Service& inner,
                                     std::span<const std::string> hidden) {
  InvariantView view(inner, /*goals=*/false);
  for (size_t i = 0; i < inner.invariants().size(); ++i) {
    if (!Contains(hidden, inner.invariants()[i].name)) view.Pick(i);
  }
  return view;
}

InvariantView InvariantView::Only(const model::Service& inner, const std::string& name) {
  InvariantView view(inner, /*goals=*/false);
  for (size_t i = 0; i < inner.invariants().size(); ++i) {
    if (inner.invariants()[i].name == name) view.Pick(i);
  }
  return view;
}

InvariantView InvariantView::Goals(const model::Service& inner, std::span<const std::string> names,
                                   const std::string& safe) {
  InvariantView view(inner, /*goals=*/true);
  for (size_t i = 0; i < inner.invariants().size(); ++i) {
    const model::InvariantInfo& info = inner.invariants()[i];
    if (info.eventually && Contains(names, info.name)) view.Pick(i);
    if (info.name == safe) view.safe_ = i;
  }
  return view;
}

InvariantView::Key InvariantView::Project(size_t invariant, NodeId node,
                                          const std::string& state) const {
  Key key = inner_.Project(picked_[invariant], node, state);
  return safe_ ? Join(key, inner_.Project(*safe_, node, state)) : key;
}

bool InvariantView::Violates(size_t invariant, std::span<const Key> keys) const {
  const size_t picked = picked_[invariant];
  if (!goals_) return inner_.Violates(picked, keys);
  if (!safe_) return Holds(inner_, picked, keys);
  std::vector<Key> separate[2];
  for (const Key& key : keys) {
    for (const size_t index : {0, 1}) separate[index].push_back(KeyIn(key, index));
  }
  return Holds(inner_, picked, separate[0]) && Holds(inner_, *safe_, separate[1]);
}

std::vector<std::string> OpenToCalls::Actions(NodeId node, const std::string& state) const {
  std::vector<std::string> actions = inner_.Actions(node, state);
  for (std::string& call : inner_.Calls(node, state)) {
    if (std::find(actions.begin(), actions.end(), call) == actions.end()) {
      actions.push_back(std::move(call));
    }
  }
  return actions;
}

std::vector<std::string> WithoutFaults::Actions(NodeId node, const std::string& state) const {
  std::vector<std::string> actions = inner_.Actions(node, state);
  std::erase_if(actions, [this](const std::string& body) { return inner_.Timing(body).adverse; });
  return actions;
}

std::vector<std::string> OpenGoals(const model::Service& service, const model::SystemCut& cut) {
  std::vector<std::string> goals;
  for (const model::InvariantInfo& info : service.invariants()) {
    if (info.eventually) goals.push_back(info.name);
  }
  const InvariantView view = InvariantView::Goals(service, goals, "");
  const std::vector<std::string> reached = model::PlainSystem(view, cut).Violated();
  std::erase_if(goals, [&](const std::string& goal) { return Contains(reached, goal); });
  return goals;
}

}  // namespace foretell::predictors
