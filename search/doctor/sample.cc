#include "foretell/search/doctor/sample.h"

#include <algorithm>

#include "absl/container/flat_hash_set.h"
#include "foretell/model/hash.h"

namespace foretell::search {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

// Of two numbers, in this order.
uint64_t Mix(uint64_t a, uint64_t b) {
  const uint64_t both[2] = {a, b};
  return model::HashBytes({reinterpret_cast<const char*>(both), sizeof(both)});
}

}  // namespace

Sample::Sample(std::string scenario, const model::Service& service, const model::SystemCut& start,
               uint32_t states_max, FieldTable& fields, model::Budget& budget)
    : scenario_(std::move(scenario)),
      has_auxiliary_(service.has_auxiliary()),
      kept_(service),
      table_(kept_),
      invariants_(table_),
      space_(table_),
      search_(space_, invariants_, options_, nullptr),
      fields_(fields) {
  table_.ListExecutions();
  search_.Begin(space_.Start(start));
  search_.Grow(states_max, budget);
  table_.Audit();
  if (!table_.nondeterminism()) Read(service);
}

void Sample::Read(const model::Service& inner) {
  row_of_.resize(table_.node_count());
  for (uint32_t n = 0; n < table_.node_count(); ++n) {
    const model::NodeId node(n);
    row_of_[n].resize(table_.state_count(node), kNone);
    for (uint32_t id = 0; id < table_.state_count(node); ++id) {
      const model::NodeState state = table_.StateOf(node, model::StateId(id));
      if (model::IsSilent(state)) continue;
      row_of_[n][id] = static_cast<uint32_t>(rows_.size());
      Row& row = rows_.emplace_back(Row{.node = node, .state = model::StateId(id)});
      row.values = ValuesOf(node, state.body);
      row.rest = Mix(n, static_cast<uint64_t>(state.status));
      for (const model::FaultKindInfo& fault : model::kFaults) {
        row.rest = Mix(row.rest, state.faults[fault.kind]);
      }
      row.relevant = Mix(row.rest, model::HashBytes(inner.Relevant(state.body)));
    }
  }
  for (const auto& [node, state, event] : table_.executions()) {
    const uint32_t row = row_of_[node.index()][state.index()];
    if (row != kNone) rows_[row].events.push_back(event);
  }
}

std::vector<Sample::Value> Sample::ValuesOf(model::NodeId node, const std::string& body) {
  std::vector<Value> values;
  for (const model::Field& field : table_.service().RenderState(node, body)) {
    values.push_back({fields_.LeafOf(field.name), model::HashBytes(field.value)});
  }
  return values;
}

const Sample::Row* Sample::RowOf(model::NodeId node, model::StateId state) const {
  const std::vector<uint32_t>& rows = row_of_[node.index()];
  const bool known = state.index() < rows.size() && rows[state.index()] != kNone;
  return known ? &rows_[rows[state.index()]] : nullptr;
}

uint64_t Sample::Without(const Row& row, const FieldSet& set) const {
  uint64_t sum = row.rest;
  uint64_t last_place = 0;
  for (const Value& value : row.values) {
    const FieldTable::Leaf& leaf = fields_.leaf(value.leaf);
    const auto left_out = std::find_if(leaf.fields.begin(), leaf.fields.end(),
                                       [&set](uint32_t field) { return set.contains(field); });
    if (left_out == leaf.fields.end()) {
      sum = Mix(sum, Mix(leaf.places.back(), value.hash));
      continue;
    }
    // How many elements there are counts. The leaves of one field come one after the other.
    const auto depth = static_cast<size_t>(left_out - leaf.fields.begin());
    const uint64_t place = leaf.places[depth];
    if (depth >= leaf.single && place != last_place) sum = Mix(sum, place);
    last_place = place;
  }
  return sum;
}

uint64_t Sample::Only(const Row& row, const FieldSet& set) const {
  uint64_t sum = row.node.value();
  for (const Value& value : row.values) {
    const FieldTable::Leaf& leaf = fields_.leaf(value.leaf);
    if (!fields_.IsWithin(leaf.fields.back(), set)) continue;
    sum = Mix(sum, Mix(leaf.places.back(), value.hash));
  }
  return sum;
}

uint64_t Sample::CountStates(const std::vector<std::vector<uint64_t>>& keys) const {
  absl::flat_hash_set<uint64_t> distinct;
  GlobalState state = search_.MakeState();
  for (uint32_t i = 0; i < search_.store().size(); ++i) {
    search_.store().Load(i, state.fields());
    uint64_t sum = 0;
    for (uint32_t n = 0; n < state.node_count(); ++n) {
      const model::NodeId node(n);
      const uint32_t id = state.state(node).value();
      const bool readable = row_of_[n][id] != kNone;
      sum = Mix(sum, Mix(readable ? keys[n][id] : id, state.mailbox(node).value()));
    }
    distinct.insert(sum);
  }
  return distinct.size();
}

}  // namespace foretell::search
