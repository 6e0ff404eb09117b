#pragma once

// The kinds of a message or action type: the alternatives of a variant, or one struct.

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "foretell/model/typed/type_name.h"

namespace foretell::model {

template <class T>
struct KindsOf {
  static constexpr bool kSeveral = false;
  // Whether the condition is true of every kind.
  template <template <class Kind> class Condition>
  static constexpr bool kAll = Condition<T>::value;
  // Calls `visit` with every kind, made from nothing.
  template <class F>
  static void ForEach(const F& visit) {
    visit(T{});
  }
  static std::vector<std::string> Names() { return {TypeName<T>()}; }
  static size_t Of(const std::string&) { return 0; }
};

template <class... Ts>
struct KindsOf<std::variant<Ts...>> {
  static_assert(sizeof...(Ts) < 0x80, "an encoding begins with the alternative, in one byte");
  static constexpr bool kSeveral = true;
  template <template <class Kind> class Condition>
  static constexpr bool kAll = (Condition<Ts>::value && ...);
  template <class F>
  static void ForEach(const F& visit) {
    (visit(Ts{}), ...);
  }
  static std::vector<std::string> Names() { return {TypeName<Ts>()...}; }
  // REQUIRES: `body` is the encoding of such a variant.
  static size_t Of(const std::string& body) { return static_cast<uint8_t>(body[0]); }
};

}  // namespace foretell::model
