#pragma once

// Values with Fields (model/typed/fields.h) as people read them: `Accept(b=2, v=7)` in one line, or
// one named leaf per line for diffs.

#include <string>
#include <vector>

#include "foretell/model/service.h"
#include "foretell/model/typed/fields.h"
#include "foretell/model/typed/type_name.h"

namespace foretell::model {

// One line: structs as Name(field=value, ...), sequences as [a b], sets and maps as {a b} and
// {k:v}, an empty optional as "-".
class LineRenderer {
 public:
  template <class T>
  void operator()(const char* name, const T& value) {
    text_ += first_ ? "" : ", ";
    first_ = false;
    text_ += name;
    text_ += '=';
    named_ = false;
    Put(value);
  }
  template <class T>
  void Auxiliary(const char* name, const T& value) {
    (*this)(name, value);
  }

  template <class T>
  requires kIsScalar<T>
  void Put(const T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      text_ += value ? "yes" : "no";
    } else if constexpr (std::is_enum_v<T>) {
      if constexpr (requires { EnumName(value); }) {
        text_ += EnumName(value);
      } else {
        text_ += ValueName(value);
      }
    } else {
      text_ += std::to_string(value);
    }
  }
  template <class Tag>
  void Put(const Id<Tag>& id) {
    text_ += std::to_string(id.value());
  }
  void Put(const NodeSet& set) {
    std::vector<NodeId> nodes;
    for (uint32_t n = 0; n < NodeSet::kNodesMax; ++n) {
      if (set.contains(NodeId(n))) nodes.emplace_back(n);
    }
    PutAll('{', nodes, '}');
  }
  void Put(const std::string& value) { text_ += value; }
  template <class T, size_t N>
  void Put(const std::array<T, N>& values) {
    PutAll('[', values, ']');
  }
  template <class T>
  void Put(const std::vector<T>& values) {
    PutAll('[', values, ']');
  }
  template <class T>
  void Put(const std::set<T>& values) {
    PutAll('{', values, '}');
  }
  template <class K, class T>
  void Put(const std::map<K, T>& values) {
    PutAll('{', values, '}');
  }
  template <class T>
  void Put(const PerNode<T>& value) {
    Put(value.values());
  }
  template <class A, class B>
  void Put(const std::pair<A, B>& value) {
    Put(value.first);
    text_ += ':';
    Put(value.second);
  }
  template <class T>
  void Put(const std::optional<T>& value) {
    if (value) {
      Put(*value);
    } else {
      text_ += '-';
    }
  }
  template <class... Ts>
  void Put(const std::variant<Ts...>& value) {
    named_ = true;
    std::visit([this](const auto& alternative) { this->Put(alternative); }, value);
  }
  template <class T>
  void Put(const model::Auxiliary<T>& value) {
    Put(AuxiliaryKey::Of(value));
  }
  template <class T>
  void Put(const T& value) {
    // A field says by its own name what it is, an alternative only by that of its type.
    if (std::exchange(named_, false) || requires { T::kName; }) text_ += TypeName<T>();
    text_ += '(';
    const bool outer = std::exchange(first_, true);
    VisitFields(const_cast<T&>(value), *this);
    first_ = outer;
    text_ += ')';
  }

  std::string Take() { return std::move(text_); }

 private:
  template <class C>
  void PutAll(char open, const C& values, char close) {
    text_ += open;
    bool first = true;
    for (const auto& value : values) {
      if (!std::exchange(first, false)) text_ += ' ';
      named_ = false;
      Put(value);
    }
    text_ += close;
  }

  std::string text_;
  bool first_ = true;
  bool named_ = true;  // The record that comes next goes by the name of its type.
};

template <class T>
std::string RenderLine(const T& value) {
  LineRenderer renderer;
  renderer.Put(value);
  return renderer.Take();
}

// Leaves with dotted names; elements of containers of structs are leaves of their own, so that a
// diff shows only what changed.
class LeafRenderer {
 public:
  template <class T>
  void operator()(const char* name, const T& value) {
    Put(Join(name), value);
  }
  template <class T>
  void Auxiliary(const char* name, const T& value) {
    (*this)(name, value);
  }

  std::vector<Field> Take() { return std::move(fields_); }

 private:
  std::string Join(const std::string& name) const {
    return prefix_.empty() ? name : prefix_ + "." + name;
  }
  template <class T>
  void Put(const std::string& name, const T& value) {
    if constexpr (IsRecord<T>) {
      const std::string outer = std::exchange(prefix_, name);
      VisitFields(const_cast<T&>(value), *this);
      prefix_ = outer;
    } else {
      fields_.push_back({name, RenderLine(value)});
    }
  }
  template <class T>
  void Put(const std::string& name, const model::Auxiliary<T>& value) {
    Put(name, AuxiliaryKey::Of(value));
  }
  template <class T>
  void Put(const std::string& name, const std::optional<T>& value) {
    if (value) {
      Put(name, *value);
    } else {
      fields_.push_back({name, "-"});
    }
  }
  template <class T>
  void Put(const std::string& name, const std::vector<T>& values) {
    PutIndexed(name, values);
  }
  template <class T, size_t N>
  void Put(const std::string& name, const std::array<T, N>& values) {
    PutIndexed(name, values);
  }
  template <class T>
  void Put(const std::string& name, const PerNode<T>& values) {
    PutIndexed(name, values.values());
  }
  template <class K, class T>
  void Put(const std::string& name, const std::map<K, T>& values) {
    if constexpr (IsRecord<T>) {
      for (const auto& [key, value] : values) Put(name + "[" + RenderLine(key) + "]", value);
    } else {
      fields_.push_back({name, RenderLine(values)});
    }
  }
  template <class C>
  void PutIndexed(const std::string& name, const C& values) {
    if constexpr (IsRecord<typename C::value_type>) {
      for (size_t i = 0; i < values.size(); ++i) {
        Put(name + "[" + std::to_string(i) + "]", values[i]);
      }
    } else {
      fields_.push_back({name, RenderLine(values)});
    }
  }

  std::vector<Field> fields_;
  std::string prefix_;
};

template <class T>
std::vector<Field> RenderLeaves(const T& value) {
  LeafRenderer renderer;
  VisitFields(const_cast<T&>(value), renderer);
  return renderer.Take();
}

// Those of the alternative that it holds.
template <class... Ts>
std::vector<Field> RenderLeaves(const std::variant<Ts...>& value) {
  return std::visit([](const auto& alternative) { return RenderLeaves(alternative); }, value);
}

}  // namespace foretell::model
