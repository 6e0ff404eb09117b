#pragma once

// Exchanges two nodes in a value with fields: every NodeId that is one of them becomes the other,
// be it a member, in a container or a key, and so do the places of a PerNode and the members of a
// NodeSet. Numbers that happen to be those of nodes stay as they are: what should be renamed must
// say by its type that it is a node.

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "foretell/model/id.h"
#include "foretell/model/typed/auxiliary.h"
#include "foretell/model/typed/field_type.h"
#include "foretell/model/typed/node_set.h"
#include "foretell/model/typed/per_node.h"

namespace foretell::model {

class Exchanger {
 public:
  explicit Exchanger(Exchange nodes) : nodes_(nodes) {}

  template <class T>
  void operator()(const char*, T& value) {
    In(value);
  }
  template <class T>
  void Auxiliary(const char*, T& value) {
    In(value);
  }

  void In(NodeId& node) { node = nodes_(node); }
  void In(NodeSet& set) { set = set.Exchanged(nodes_.a, nodes_.b); }
  template <class T>
  requires kIsInteger<T>
  void In(T&) {}
  void In(std::string&) {}
  template <class T, size_t N>
  void In(std::array<T, N>& values) {
    for (T& value : values) In(value);
  }
  template <class T>
  void In(std::vector<T>& values) {
    // Those of bool have no elements that could be referred to.
    if constexpr (!kIsScalar<T>) {
      for (T& value : values) In(value);
    }
  }
  template <class T>
  void In(PerNode<T>& values) {
    In(values.values());
    values.Exchange(nodes_.a, nodes_.b);
  }
  template <class T>
  void In(std::set<T>& values) {
    std::set<T> other;
    while (!values.empty()) {
      auto element = values.extract(values.begin());
      In(element.value());
      other.insert(std::move(element));
    }
    values = std::move(other);
  }
  template <class K, class T>
  void In(std::map<K, T>& values) {
    std::map<K, T> other;
    while (!values.empty()) {
      auto entry = values.extract(values.begin());
      In(entry.key());
      In(entry.mapped());
      other.insert(std::move(entry));
    }
    values = std::move(other);
  }
  template <class A, class B>
  void In(std::pair<A, B>& value) {
    In(value.first);
    In(value.second);
  }
  template <class T>
  void In(std::optional<T>& value) {
    if (value) In(*value);
  }
  template <class... Ts>
  void In(std::variant<Ts...>& value) {
    std::visit([this](auto& alternative) { this->In(alternative); }, value);
  }
  template <class T>
  void In(model::Auxiliary<T>& value) {
    In(AuxiliaryKey::Of(value));
  }
  template <class T>
  void In(T& value) {
    VisitFields(value, *this);
  }

 private:
  const Exchange nodes_;
};

}  // namespace foretell::model
