#pragma once

// Fields that nothing depends on: logs, counters for people. A checker takes two states that differ
// in them only for one (DBSS section III: the relevant and the auxiliary part of a state).
//
//   struct State {
//     uint32_t promised = 0;
//     Auxiliary<std::vector<Note>> log;
//     FORETELL_FIELDS(promised, log)
//   };
//   state.log.Update([](std::vector<Note>& log, const Note& n) { log.push_back(n); }, note);
//
// Handlers can update such a field and not read it: there is nothing that returns it, and an update
// captures nothing that it could leave something in. So nothing can depend on it, by construction.
//
// Code that is wrapped and cannot be typed that way says it in a Fields of its own:
//
//   v.Auxiliary("log", log);
//
// That is a claim. A check tests it (model/engine/audit_auxiliary.cc) and names a field that is not
// auxiliary after all.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "foretell/model/typed/field_type.h"
#include "foretell/model/typed/per_node.h"

namespace foretell::model {

template <class T>
class Auxiliary {
 public:
  Auxiliary() = default;
  explicit Auxiliary(T value) : value_(std::move(value)) {}

  // `update` is a lambda without captures, of the value and of `args`, which it gets as const.
  template <class F, class... Args>
  void Update(F update, const Args&... args) {
    static_assert(std::is_convertible_v<F, void (*)(T&, const Args&...)>,
                  "an update of an auxiliary field is a lambda that captures nothing and returns "
                  "nothing: what it could take out of the field, a handler could depend on");
    if constexpr (std::is_convertible_v<F, void (*)(T&, const Args&...)>) {
      static_cast<void (*)(T&, const Args&...)>(update)(value_, args...);
    }
  }

 private:
  friend struct AuxiliaryKey;
  T value_{};
};

// For what writes fields down and shows them to people. Handlers do not use it.
struct AuxiliaryKey {
  template <class T>
  static const T& Of(const Auxiliary<T>& field) {
    return field.value_;
  }
  template <class T>
  static T& Of(Auxiliary<T>& field) {
    return field.value_;
  }
};

template <class T>
inline constexpr bool kIsContainer<Auxiliary<T>> = true;

// What of a type is auxiliary: by type, or claimed with v.Auxiliary, by dotted name.
class AuxiliaryScan {
 public:
  template <class T>
  static AuxiliaryScan Of() {
    AuxiliaryScan scan;
    scan.In<T>("");
    return scan;
  }
  bool any() const { return any_; }
  const std::vector<std::string>& claimed() const { return claimed_; }

  template <class T>
  void operator()(const char* name, T&) {
    In<std::remove_cv_t<T>>(Join(name));
  }
  template <class T>
  void Auxiliary(const char* name, T&) {
    any_ = true;
    claimed_.push_back(Join(name));
  }

 private:
  static constexpr int kDepthMax = 8;  // A type can contain itself.

  template <class T>
  struct Elements {
    static void Scan(AuxiliaryScan&, const std::string&) {}
  };

  std::string Join(const char* name) const { return prefix_.empty() ? name : prefix_ + "." + name; }
  template <class T>
  void In(const std::string& name) {
    if constexpr (IsRecord<T>) {
      if (depth_ == kDepthMax) return;
      ++depth_;
      const std::string outer = std::exchange(prefix_, name);
      T value{};
      VisitFields(value, *this);
      prefix_ = outer;
      --depth_;
    } else {
      Elements<T>::Scan(*this, name);
    }
  }

  bool any_ = false;
  std::vector<std::string> claimed_;
  std::string prefix_;
  int depth_ = 0;
};

template <class T>
struct AuxiliaryScan::Elements<model::Auxiliary<T>> {
  static void Scan(AuxiliaryScan& scan, const std::string&) { scan.any_ = true; }
};
template <class T>
struct AuxiliaryScan::Elements<std::vector<T>> {
  static void Scan(AuxiliaryScan& scan, const std::string& name) { scan.In<T>(name); }
};
template <class T>
struct AuxiliaryScan::Elements<PerNode<T>> {
  static void Scan(AuxiliaryScan& scan, const std::string& name) { scan.In<T>(name); }
};
template <class T>
struct AuxiliaryScan::Elements<std::optional<T>> {
  static void Scan(AuxiliaryScan& scan, const std::string& name) { scan.In<T>(name); }
};
template <class T, size_t N>
struct AuxiliaryScan::Elements<std::array<T, N>> {
  static void Scan(AuxiliaryScan& scan, const std::string& name) { scan.In<T>(name); }
};
template <class K, class T>
struct AuxiliaryScan::Elements<std::map<K, T>> {
  static void Scan(AuxiliaryScan& scan, const std::string& name) { scan.In<T>(name); }
};
template <class A, class B>
struct AuxiliaryScan::Elements<std::pair<A, B>> {
  static void Scan(AuxiliaryScan& scan, const std::string& name) {
    scan.In<A>(name);
    scan.In<B>(name);
  }
};
template <class... Ts>
struct AuxiliaryScan::Elements<std::variant<Ts...>> {
  static void Scan(AuxiliaryScan& scan, const std::string& name) { (scan.In<Ts>(name), ...); }
};

}  // namespace foretell::model
