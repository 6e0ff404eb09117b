#pragma once

// The types that a field can have. Whatever else is tried does not compile, and says why in one
// sentence; where it was tried is in the lines behind that.

#include <array>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "foretell/model/id.h"

namespace foretell::model {

template <class T>
inline constexpr bool kIsScalar = std::is_integral_v<T> || std::is_enum_v<T>;

template <class T>
inline constexpr bool kIsInteger = kIsScalar<T>;
template <class Tag>
inline constexpr bool kIsInteger<Id<Tag>> = true;

// Types with encodings of their own.
template <class T>
inline constexpr bool kIsContainer = false;
template <>
inline constexpr bool kIsContainer<std::string> = true;
template <class T, size_t N>
inline constexpr bool kIsContainer<std::array<T, N>> = true;
template <class T>
inline constexpr bool kIsContainer<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsContainer<std::set<T>> = true;
template <class K, class T>
inline constexpr bool kIsContainer<std::map<K, T>> = true;
template <class A, class B>
inline constexpr bool kIsContainer<std::pair<A, B>> = true;
template <class T>
inline constexpr bool kIsContainer<std::optional<T>> = true;
template <class... Ts>
inline constexpr bool kIsContainer<std::variant<Ts...>> = true;

// Accepts every field; a type with Fields can be visited by it.
struct AnyVisitor {
  template <class T>
  void operator()(const char*, T&) {}
  template <class T>
  void Auxiliary(const char*, T&) {}
};

template <class T>
concept HasFields = requires(T& t, AnyVisitor& v) {
  t.Fields(v);
};

// A struct of the user: with Fields, or without anything to list.
template <class T>
concept IsRecord = std::is_class_v<T> && !kIsInteger<T> && !kIsContainer<T> &&
                   (HasFields<T> || std::is_empty_v<T>);

template <class T>
concept ListsByMacro = requires {
  T::template ForetellListsAll<T>();
};

// False iff FORETELL_FIELDS leaves members out or names one twice. What is listed by hand is
// believed.
template <class T>
constexpr bool ListsAllMembers() {
  if constexpr (std::is_aggregate_v<T> && ListsByMacro<T>) {
    return T::template ForetellListsAll<T>();
  }
  return true;
}

constexpr bool AllDifferent(std::initializer_list<std::string_view> names) {
  for (const std::string_view* a = names.begin(); a != names.end(); ++a) {
    for (const std::string_view* b = names.begin(); b != a; ++b) {
      if (*a == *b) return false;
    }
  }
  return true;
}

// Instantiated for every type that is encoded: refuses those that cannot be.
template <class T>
struct FieldType {
  static constexpr bool kKnown = kIsInteger<T> || kIsContainer<T> || IsRecord<T>;
  static constexpr bool kOwnRecord = std::is_class_v<T> && std::is_aggregate_v<T>;
  static_assert(
      !std::is_floating_point_v<T>,
      "a field cannot be a floating-point number, of which equal values may have different "
      "bytes: use an integer");
  static_assert(!std::is_pointer_v<T>,
                "a field cannot be a pointer: a state is a value, hold what it points to");
  static_assert(kKnown || !kOwnRecord,
                "this struct has members but does not list them: write FORETELL_FIELDS(member, "
                "member, ...) as its last line");
  static_assert(
      kKnown || kOwnRecord || std::is_floating_point_v<T> || std::is_pointer_v<T>,
      "this type cannot be a field: use integers, enums, bool, std::string, std::array, "
      "vector, set, map, optional, pair, variant, and structs with FORETELL_FIELDS (what is "
      "unordered has no canonical bytes)");
  static_assert(!ListsByMacro<T> || std::is_aggregate_v<T>,
                "FORETELL_FIELDS can only count the members of a struct without constructors and "
                "private members: leave them out, or write Fields by hand");
  static_assert(ListsAllMembers<T>(),
                "FORETELL_FIELDS must list every member of this struct, each once: what it leaves "
                "out is no part of the state, and the checker would not see it");
};

// Shows all fields of a record to a visitor.
template <class T, class V>
void VisitFields(T& value, V& visitor) {
  static_cast<void>(sizeof(FieldType<T>));
  if constexpr (HasFields<T>) value.Fields(visitor);
}

}  // namespace foretell::model
