#pragma once

// Names of structs and enumerators, as the compiler spells them.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace foretell::model {

// The part of __PRETTY_FUNCTION__ that stands for its template argument: behind the last "= ", up
// to the bracket or the semicolon that GCC and Clang end it with.
constexpr std::string_view ArgumentIn(std::string_view function) {
  const size_t begin = function.find("= ") + 2;
  const size_t end = std::min(function.rfind(']'), function.find(';', begin));
  return function.substr(begin, end - begin);
}

// "Ballot" of "paxos::Ballot" and of "(anonymous namespace)::Box<int, a::b>::Ballot".
constexpr std::string_view LastPart(std::string_view name) {
  size_t end = name.size();
  if (!name.empty() && name.back() == '>') {
    // A template goes by its own name.
    size_t depth = 0;
    while (end > 0) {
      depth += name[end - 1] == '>';
      depth -= name[end - 1] == '<';
      --end;
      if (depth == 0) break;
    }
  }
  const size_t colon = name.substr(0, end).rfind("::");
  const size_t begin = colon == std::string_view::npos ? 0 : colon + 2;
  return name.substr(begin, end - begin);
}

template <class T>
constexpr std::string_view SpelledType() {
  return ArgumentIn(__PRETTY_FUNCTION__);
}
template <auto kValue>
constexpr std::string_view SpelledValue() {
  return ArgumentIn(__PRETTY_FUNCTION__);
}

// The name of a struct: its kName, if it has one, or what it is called.
template <class T>
std::string TypeName() {
  if constexpr (requires { T::kName; }) {
    return T::kName;
  } else {
    return std::string(LastPart(SpelledType<T>()));
  }
}

// "wants-left" of "kWantsLeft" and of "WANTS_LEFT".
std::string DashedName(std::string_view enumerator);

// The enumerators of an enum that are looked for: 0 .. kEnumeratorsMax - 1.
inline constexpr size_t kEnumeratorsMax = 64;

template <class E, size_t... kValues>
std::array<std::string, kEnumeratorsMax> EnumeratorNames(std::index_sequence<kValues...>) {
  // A value without a name is spelled as a cast, in front of which there is a bracket.
  const auto name = [](std::string_view spelled) {
    return spelled.front() == '(' && spelled.back() >= '0' && spelled.back() <= '9' &&
                   LastPart(spelled).find(')') != std::string_view::npos
               ? std::string()
               : DashedName(LastPart(spelled));
  };
  return {name(SpelledValue<static_cast<E>(kValues)>())...};
}

// The name of an enum's value, or its number: "wants-left", "17".
template <class E>
std::string ValueName(E value) {
  static const std::array<std::string, kEnumeratorsMax> kNames =
      EnumeratorNames<E>(std::make_index_sequence<kEnumeratorsMax>());
  const auto number = static_cast<std::underlying_type_t<E>>(value);
  if (number >= 0 && static_cast<uint64_t>(number) < kEnumeratorsMax) {
    const std::string& name = kNames[static_cast<size_t>(number)];
    if (!name.empty()) return name;
  }
  return std::to_string(number);
}

}  // namespace foretell::model
